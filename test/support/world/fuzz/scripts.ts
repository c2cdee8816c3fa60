/** Whether an operation returns a file of a page, which takes no input and is no page. */
export const isScript = (operation: string): boolean =>
  /^pages\.(?:\w+(?:Script|Worker|Style|Icon)|showConsole)$/.test(operation)
