/**
 * The script of the page with the form for a workspace: a list of time zones instead of a text, with that of this browser
 * chosen. Without it, people type the name.
 */
export const timeZoneScript = `'use strict'
const field = document.querySelector('#timezone')
const own = Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])
const chosen = field.value !== 'UTC' && zones.has(field.value) ? field.value : own
const list = document.createElement('select')
for (const { name, value } of field.attributes) {
  if (!['type', 'value', 'maxlength'].includes(name)) list.setAttribute(name, value)
}
for (const zone of zones) list.add(new Option(zone, zone, zone === chosen, zone === chosen))
field.replaceWith(list)
`
