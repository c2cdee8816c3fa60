/** Whether an operation returns the script of a page, which takes no input and is no page. */
export const isScript = (operation: string): boolean =>
  /^pages\.(?:\w+(?:Script|Worker|Style)|showConsole)$/.test(operation)
