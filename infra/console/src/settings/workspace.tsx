import { type Field, Form, type Values } from '../form.tsx'
import { Properties } from '../parts.tsx'
import { api, type Workspace, workspace, workspaces } from '../store.ts'

const zones = (current: string) =>
  [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((id) => ({ id, name: id }))

const fieldsOf = ({ name, timezone, logo, brandColor, redirectUrls, assistantsEnabled, role }: Workspace): Field[] => [
  { name: 'name', label: 'Name', value: name },
  { name: 'timezone', label: 'Time zone', value: timezone, choices: zones(timezone) },
  { name: 'logo', label: 'Logo', type: 'url', isOptional: true, value: logo ?? '', hint: 'An https URL.' },
  {
    name: 'brandColor',
    label: 'Brand color',
    isOptional: true,
    value: brandColor ?? '',
    hint: 'The color of buttons on your customers’ pages, such as #1f5fd6.',
  },
  {
    name: 'redirectUrls',
    label: 'Redirect URLs',
    type: 'lines',
    isOptional: true,
    value: redirectUrls.join('\n'),
    hint: 'Where people return after they connect an account. One per line.',
  },
  ...(role === 'owner'
    ? [
        {
          name: 'assistants',
          label: 'Assistants',
          isMany: true,
          value: assistantsEnabled ? 'on' : '',
          choices: [{ id: 'on', name: 'Assistants can act for members of this workspace' }],
        },
      ]
    : []),
]

/** Only what differs, so that a change by someone else is not undone. */
const changesOf = (current: Workspace, { text, list }: Values) => {
  const entered = {
    name: text('name'),
    timezone: text('timezone'),
    logo: text('logo') || null,
    brandColor: text('brandColor') || null,
    redirectUrls: list('redirectUrls'),
    ...(current.role === 'owner' ? { assistantsEnabled: list('assistants').includes('on') } : {}),
  }
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(current[name as keyof typeof entered])
  return Object.fromEntries(Object.entries(entered).filter(differs)) as Partial<typeof entered>
}

export const WorkspaceSection = () => {
  const current = workspace.value
  if (current === undefined) return null
  const { id, slug, name, timezone, role } = current
  return (
    <>
      <Properties
        values={{
          ID: id,
          Slug: slug,
          'Your role': role,
          ...(role === 'member' ? { Name: name, 'Time zone': timezone } : {}),
        }}
      />
      {role !== 'member' && (
        <Form
          key={id}
          fields={fieldsOf(current)}
          button="Save"
          call={(values) => api().workspaces.update(id, changesOf(current, values))}
          done="Changes saved"
          onDone={(changed) => {
            workspaces.value = workspaces.value?.map((each) => (each.id === id ? changed : each))
          }}
        />
      )}
    </>
  )
}
