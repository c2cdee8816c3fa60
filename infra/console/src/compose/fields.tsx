import { useState } from 'preact/hooks'
import { Hint, labelOf } from '../parts.tsx'
import { accountOf, api } from '../store.ts'
import { useReadEffect } from '../use-read.ts'
import { knownPlatform, type Schema, schemaOf } from './platforms.ts'
import { change, form } from './state.ts'

interface Choice {
  id: string
  name: string
}

/** The fields whose values the platform lists. */
const listed: Readonly<Record<string, (socialAccountId: string) => Promise<readonly Choice[]>>> = {
  'discord.channelId': async (socialAccountId) =>
    (await api().socialAccounts.discordChannels({ socialAccountId })).channels,
  'slack.channelId': async (socialAccountId) =>
    (await api().socialAccounts.slackChannels({ socialAccountId })).channels,
  'pinterest.boardId': async (socialAccountId) =>
    (await api().socialAccounts.pinterestBoards({ socialAccountId })).boards,
}

/** What a field is called: "Channel" where the names of channels are listed, in place of "Channel ID". */
export const fieldLabelOf = (platform: string, name: string): string =>
  labelOf(listed[`${platform}.${name}`] === undefined ? name : name.replace(/Id$/, ''))

interface FieldProps {
  path: string
  schema: Schema
  value: unknown
  isRequired: boolean
  /** The account whose choices are offered. */
  accountId: string
  onChange: (value: unknown) => void
}

const numberOrText = (text: string): unknown => (text === '' ? undefined : Number(text))

/** JSON, or the text as it is while it is none: the service says what is wrong with it. */
const parsed = (text: string): unknown => {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const linesOf = (text: string): unknown => {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? undefined : lines
}

const Select = ({
  choices,
  value,
  isRequired,
  onChange,
}: { choices: readonly Choice[] } & Omit<FieldProps, 'path' | 'schema' | 'accountId'>) => (
  <select
    required={isRequired}
    value={String(value ?? '')}
    onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
  >
    <option value="">{isRequired ? 'Choose…' : 'As usual'}</option>
    {choices.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </select>
)

/** A field whose choices are at the platform; a text where they cannot be read. */
const ListedField = (props: FieldProps) => {
  const { path, accountId, value, onChange } = props
  const [choices, setChoices] = useState<readonly Choice[]>()
  const read = listed[path]
  useReadEffect(read && accountId !== '' ? () => read(accountId) : undefined, [path, accountId], setChoices)
  if (choices !== undefined) return <Select {...props} choices={choices} />
  return (
    <input value={String(value ?? '')} onInput={({ currentTarget }) => onChange(currentTarget.value || undefined)} />
  )
}

const Input = (props: FieldProps) => {
  const { path, schema, value, isRequired, onChange } = props
  if (listed[path] !== undefined) return <ListedField {...props} />
  if (schema.enum !== undefined) {
    return <Select {...props} choices={schema.enum.map((name) => ({ id: name, name }))} />
  }
  if (schema.type === 'boolean') {
    const choices = ['true', 'false'].map((id) => ({ id, name: id === 'true' ? 'Yes' : 'No' }))
    const set = (text: unknown) => onChange(text === undefined ? undefined : text === 'true')
    return <Select {...props} choices={choices} value={value} onChange={set} />
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return (
      <input
        type="number"
        required={isRequired}
        value={value === undefined ? '' : String(value)}
        onInput={({ currentTarget }) => onChange(numberOrText(currentTarget.value))}
      />
    )
  }
  const isText = schema.type === 'string' || schema.type === undefined
  if (isText && (schema.maxLength ?? 0) <= 300) {
    return (
      <input
        required={isRequired}
        value={String(value ?? '')}
        onInput={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    )
  }
  const isLines = schema.type === 'array' && schema.items?.type === 'string'
  const read = isText ? (text: string) => text || undefined : isLines ? linesOf : parsed
  const text =
    isLines && Array.isArray(value)
      ? value.join('\n')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value ?? '')
  return (
    <>
      {!isText && <span class="hint">{isLines ? 'One on each line.' : 'As JSON.'}</span>}
      {/* What is being typed stays as it is; only what is left is read. */}
      <textarea rows={3} defaultValue={text} onChange={({ currentTarget }) => onChange(read(currentTarget.value))} />
    </>
  )
}

/** The fields that only one platform has, from its JSON Schema: those that it requires, then the others. */
export const Fields = ({ workspaceId, platform }: { workspaceId: string; platform: string }) => {
  const { properties = {}, required = [] } = schemaOf(platform)
  const block = form.value.metadata[platform] ?? {}
  const accountId = form.value.accountIds.find((id) => accountOf(id)?.providerId === platform) ?? ''
  const set = (name: string, value: unknown) => {
    const { [name]: _before, ...others } = block
    const next = value === undefined ? others : { ...others, [name]: value }
    change(workspaceId, { metadata: { ...form.value.metadata, [platform]: next } })
  }
  const fieldsOf = (isRequired: boolean) =>
    Object.entries(properties)
      .filter(([name]) => required.includes(name) === isRequired)
      .map(([name, schema]) => (
        // The control is in one of several forms.
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is the component inside
        <label key={name} class="field">
          {fieldLabelOf(platform, name)}
          <Hint text={schema.description ?? ''} />
          <Input
            path={`${platform}.${name}`}
            {...{ schema, isRequired, accountId }}
            value={block[name]}
            onChange={(value) => set(name, value)}
          />
        </label>
      ))
  const optional = fieldsOf(false)
  return (
    <>
      {fieldsOf(true)}
      {optional.length > 0 && (
        <details>
          <summary>More on {knownPlatform(platform)?.name}</summary>
          <div class="more-fields">{optional}</div>
        </details>
      )}
    </>
  )
}
