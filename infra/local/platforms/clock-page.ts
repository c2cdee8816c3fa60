import { html } from '../../../shared/pages/html.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/time.ts'
import type { ClockShift } from '../engines/clock-shift.ts'
import { page } from '../pages/page.ts'
import type { Answer } from '../pages/server.ts'
import type { PageServers } from '../pages/tabs.ts'

const units = { minutes: minuteMs, hours: hourMs, days: dayMs } as const

const isUnit = (text: string): text is keyof typeof units => Object.hasOwn(units, text)

/** "2 d 3 h 0 min". */
const spell = (ms: number): string =>
  `${Math.floor(ms / dayMs)} d ${Math.floor((ms % dayMs) / hourMs)} h ${Math.floor((ms % hourMs) / minuteMs)} min`

interface Typed {
  by: string
  unit: string
  error?: string
}

/** The page on which a person moves the clock of the whole service forward. */
export function drawClockPage(
  shift: ClockShift,
  servers: PageServers,
  { by, unit, error }: Typed = { by: '1', unit: 'hours' },
): Answer {
  const main = html`${error === undefined ? undefined : html`<p class="notice"><span class="badge bad">${error}</span></p>`}
<article><p>It is <b>${new Date().toISOString()}</b> here, ${shift.aheadMs() === 0 ? 'the time of this machine' : `${spell(shift.aheadMs())} ahead of this machine`}.</p>
<form method="post" action="/clock">
<label>Move the clock by<input name="by" inputmode="numeric" value="${by}"></label>
<label>Unit<select name="unit">${Object.keys(units).map((name) => html`<option value="${name}"${name === unit ? html` selected` : undefined}>${name}</option>`)}</select></label>
<div class="actions"><button class="main">Move the clock</button></div>
</form>
<p class="soft">What becomes due, such as a post, is done at once. Sessions, links, and tokens can expire. The clock
never goes back; it stays ahead after a restart, until <code>npm start -- --reset</code>.</p></article>`
  return page({ title: 'Clock', main, servers, narrow: true })
}

/** Takes the form of the page. The page shows its errors, with what was typed. */
export function takeClockForm(shift: ClockShift, servers: PageServers, body: Buffer | undefined): Answer {
  const form = new URLSearchParams(String(body))
  const [by, unit] = [form.get('by') ?? '', form.get('unit') ?? '']
  try {
    if (!isUnit(unit)) throw new RangeError(`The unit is one of ${Object.keys(units).join(', ')}.`)
    shift.move(by.trim() === '' ? Number.NaN : Number(by) * units[unit])
    return { status: 303, headers: { location: '/clock' } }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { ...drawClockPage(shift, servers, { by, unit, error: error.message }), status: 400 }
  }
}
