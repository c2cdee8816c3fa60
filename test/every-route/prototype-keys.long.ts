import { inherited, testInheritedNames } from '../support/world/inherited-names.ts'

testInheritedNames(inherited)
