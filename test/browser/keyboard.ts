import type { BrowserContext, Locator, Page } from 'playwright-core'

/** A function that Playwright sends to the browser: text, because the types of the tests do not know a document. */
const inBrowser = <F>(text: string): F => new Function('element', 'more', `return (${text})(element, more)`) as F

/**
 * Runs in the browser: the keys that lead the focus to an element, in the order of Tab, or by arrows within a grid, a list of tabs,
 * and a group of radio buttons. `wait` while it is disabled, and none when it has the focus.
 */
const keysTo = inBrowser<(element: unknown) => string[]>(`(element) => {
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'
  let target = element.closest('label')?.control ?? element.closest(focusable)
  if (!target) throw new Error('The keyboard cannot reach ' + element.outerHTML.slice(0, 200))
  const active = document.activeElement
  if (active === target) return []
  if (target.disabled) return ['wait']
  if (target.type === 'radio' && active.type === 'radio' && active.name === target.name) return ['ArrowDown']
  if (target.role === 'tab' && active.role === 'tab') {
    const tabs = [...target.parentElement.children]
    return [tabs.indexOf(target) > tabs.indexOf(active) ? 'ArrowRight' : 'ArrowLeft']
  }
  if (target.role === 'tab' && target.tabIndex < 0) target = target.parentElement.querySelector('[aria-selected=true]')
  const cellOf = (element) => element.closest('[role=grid]') && element.closest('[role=gridcell]')
  const [from, to] = [cellOf(active), cellOf(target)]
  if (from && to && from !== to) {
    if (active !== from) return ['Shift+Tab']
    const rows = to.parentElement.rowIndex - from.parentElement.rowIndex
    const columns = to.cellIndex - from.cellIndex
    return [rows > 0 ? 'ArrowDown' : rows < 0 ? 'ArrowUp' : columns > 0 ? 'ArrowRight' : 'ArrowLeft']
  }
  const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
  const group = (element) => [...root.querySelectorAll('input[type=radio]')].filter(({ name }) => name === element.name)
  const stops = [...root.querySelectorAll(focusable)].filter(
    (element) =>
      element === target || element === active ||
      (element.tabIndex >= 0 && !element.disabled && element.checkVisibility() &&
        (element.type !== 'radio' || (element.checked || (!group(element).some(({ checked }) => checked) && group(element)[0] === element)))),
  )
  const distance = stops.indexOf(target) - stops.indexOf(active)
  if (!stops.includes(active)) return ['Tab']
  return Array(Math.abs(distance)).fill(distance > 0 ? 'Tab' : 'Shift+Tab')
}`)

/** Moves the focus to the element of a locator, as a keyboard user does. */
const reach = async (locator: Locator): Promise<void> => {
  await locator.waitFor({ state: 'attached' })
  for (let tries = 0; tries < 200; tries += 1) {
    const keys = await locator.evaluate(keysTo)
    if (keys.length === 0) return
    for (const key of keys) {
      if (key === 'wait') await locator.page().waitForTimeout(50)
      else await locator.page().keyboard.press(key)
    }
  }
  throw new Error(`The keyboard does not reach ${locator}`)
}

const typeOf = (locator: Locator): Promise<unknown> =>
  locator.evaluate(inBrowser<(element: unknown) => unknown>('({ type }) => type'))

/** The digits that are typed into a date or a time, from its first part on; the browser speaks American English. */
const digitsOf = (type: unknown, value: string): string | undefined => {
  const [first = '', second = '', third = ''] = value.split(/[-:]/)
  if (type === 'date') return `${second}${third}${first}`
  if (type !== 'time') return undefined
  return `${String(Number(first) % 12 || 12).padStart(2, '0')}${second}${Number(first) < 12 ? 'AM' : 'PM'}`
}

/** Where an option is in a list, how far from the chosen one, and what it is called. */
const findOption = inBrowser<
  (element: unknown, option: string | { label: string }) => { at: number; steps: number; label: string }
>(`(select, wanted) => {
  const options = [...select.options].filter(({ disabled }) => !disabled)
  const at = options.findIndex(({ label, value }) => (wanted.label === undefined ? value === wanted : label === wanted.label))
  return { at, steps: at - options.indexOf(select.selectedOptions[0]), label: options[at]?.label }
}`)

/** What a person without a mouse does for each thing that a walk does with an element. */
const hands = {
  focus: reach,
  async click(locator: Locator) {
    await reach(locator)
    const isBox = /^(checkbox|radio)$/.test(String(await typeOf(locator)))
    await locator.page().keyboard.press(isBox ? 'Space' : 'Enter')
  },
  async press(locator: Locator, key: string) {
    await reach(locator)
    await locator.page().keyboard.press(key)
  },
  async pressSequentially(locator: Locator, text: string) {
    await reach(locator)
    await locator.page().keyboard.type(text)
  },
  async fill(locator: Locator, value: string) {
    await reach(locator)
    const { keyboard } = locator.page()
    const digits = digitsOf(await typeOf(locator), value)
    if (digits !== undefined) {
      for (let part = 0; part < 4; part += 1) await keyboard.press('ArrowLeft')
      return keyboard.type(digits)
    }
    await keyboard.press('Control+A')
    await (value === '' ? keyboard.press('Delete') : keyboard.insertText(value))
  },
  async setChecked(locator: Locator, checked: boolean) {
    await reach(locator)
    if ((await locator.isChecked()) !== checked) await locator.page().keyboard.press('Space')
  },
  check: (locator: Locator) => hands.setChecked(locator, true),
  uncheck: (locator: Locator) => hands.setChecked(locator, false),
  async selectOption(locator: Locator, option: string | { label: string }) {
    await reach(locator)
    const { at, steps, label } = await locator.evaluate(findOption, option)
    if (at < 0) throw new Error(`There is no option ${JSON.stringify(option)} in ${locator}`)
    const { keyboard } = locator.page()
    if (Math.abs(steps) > 20) return keyboard.type(label)
    for (let step = 0; step < Math.abs(steps); step += 1) await keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp')
  },
  async setInputFiles(locator: Locator, files: Parameters<Locator['setInputFiles']>[0]) {
    await reach(locator)
    const chooser = locator.page().waitForEvent('filechooser')
    await locator.page().keyboard.press('Space')
    await (await chooser).setFiles(files)
  },
}

const contexts = new WeakSet<BrowserContext>()
let isPatched = false

/** From here on, a walk operates this page, and each window that it opens, by keyboard alone: it cannot use what Tab and arrows do not reach. */
export const operateByKeyboard = (page: Page): void => {
  contexts.add(page.context())
  // From the start on, files come from the walk: a key can open the chooser before its own listener is there.
  page.on('filechooser', () => {})
  if (isPatched) return
  isPatched = true
  const prototype = Object.getPrototypeOf(page.locator('html'))
  for (const [name, act] of Object.entries(hands) as [string, (locator: Locator, ...rest: unknown[]) => unknown][]) {
    const byPointer = prototype[name]
    prototype[name] = function (this: Locator, ...rest: unknown[]) {
      return contexts.has(this.page().context()) ? act(this, ...rest) : byPointer.apply(this, rest)
    }
  }
}
