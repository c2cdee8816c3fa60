import { inherited, testInheritedNames } from './laws/inherited-names.ts'

testInheritedNames(inherited)
