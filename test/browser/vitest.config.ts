import { defineConfig } from 'vitest/config'

/** What is measured runs after everything else, and alone. */
const measured = 'test/browser/console-budgets.walk.ts'

const ofConsole = 'test/browser/console*.walk.ts'

/** The walks of the console are repeated by keyboard alone, on each device and in each color scheme. */
const keyboardLooks = ['desk-light', 'desk-dark', 'phone-light', 'phone-dark']

/** The walks with a real browser: not part of `npm test`, since they need Chromium on the machine. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As long as the browser waits for an element.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['test/browser/*.walk.ts'],
          exclude: [ofConsole],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          include: [ofConsole],
          exclude: [measured],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      ...keyboardLooks.map((look) => ({
        extends: true as const,
        test: {
          name: `keyboard-${look}`,
          include: [ofConsole],
          exclude: [measured],
          env: { KEYBOARD_LOOK: look },
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      })),
      {
        extends: true,
        test: { name: 'measured', include: [measured], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
