/**
 * Words that say nothing about what they name, and how many names of the code have them, by folder. What is stored or
 * public keeps its name, and `shared/memory/search` searches for words. A number may only fall; comments, strings, and
 * the tests of the local service do not count.
 */
export const vague: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  place: { shared: 70, functions: 0, infra: 4 },
  facts: { shared: 66, functions: 0, infra: 0 },
  words: { shared: 38, functions: 0, infra: 6 },
  told: { shared: 0, functions: 0, infra: 0 },
  asked: { shared: 6, functions: 0, infra: 0 },
  kept: { shared: 17, functions: 0, infra: 0 },
  held: { shared: 5, functions: 0, infra: 4 },
  found: { shared: 38, functions: 0, infra: 2 },
  wanted: { shared: 37, functions: 0, infra: 0 },
  most: { shared: 0, functions: 0, infra: 0 },
  '(one)': { shared: 15, functions: 0, infra: 2 },
}
