import { spawnSync } from 'node:child_process'

/** AWS, "Deploying DynamoDB locally on your computer": version 17 or newer. */
const oldestJava = 17

/** Whether this machine has a Java that runs DynamoDB Local. */
const hasJava = (): boolean => {
  // It writes: openjdk version "17.0.15" 2025-04-15; before Java 9 it was "1.8.0".
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  return Number(/version "(?:1\.)?(\d+)/.exec(stderr ?? '')?.[1]) >= oldestJava
}

/** The files that a run leaves out, and says so: those that start DynamoDB Local, where there is no Java. */
export const leftOutWithoutJava = (...files: readonly string[]): readonly string[] => {
  if (hasJava()) return []
  console.log(`Without Java ${oldestJava} or newer these tests are left out: ${files.join(', ')}`)
  return files
}
