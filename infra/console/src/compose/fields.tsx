import { useEffect, useRef, useState } from 'preact/hooks'
import type { FormField, PlatformForm } from '../../../../shared/platforms/form.ts'
import { knownAsset } from '../media/asset.tsx'
import { type ChangeFiles, type ChosenFile, chosenFile, Uploads } from '../media/uploads.tsx'
import { accountOf } from '../store.ts'
import { useReadEffect } from '../use-read.ts'
import { blockFor } from './block.ts'
import { type Choice, listed } from './listed.ts'
import { formOf, knownPlatform, type Schema, schemaOf } from './platforms.ts'
import { change, form } from './state.ts'

type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null

const isGroup = (value: unknown): boolean => isObject(value) && !Array.isArray(value)

/** The label of a field, such as `boardId` or `poll.options`. */
export const fieldLabelOf = (platform: string, name: string): string => {
  const field = formOf(platform)[name]
  return field === undefined || field === 'hidden' ? name : field.label
}

interface FieldProps {
  /** `platform.name`, and on for the fields of an object. */
  path: string
  schema: Schema
  field: FormField
  value: unknown
  isRequired: boolean
  /** The account whose choices are offered, and the fields that they depend on. */
  accountId: string
  block: Values
  onChange: (value: unknown) => void
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** A text of a control as a value of the type that the schema wants. */
const typed = ({ type }: Schema, text: string): unknown => {
  if (text === '') return undefined
  if (type === 'boolean') return text === 'true'
  return type === 'number' || type === 'integer' ? Number(text) : text
}

const Select = ({ choices, inferred, ...props }: { choices: readonly Choice[]; inferred?: unknown } & FieldProps) => {
  const automatic = choices.find(({ id }) => id === inferred)?.name
  const none = automatic !== undefined ? `Automatic (${automatic})` : props.isRequired ? 'Choose…' : 'Default'
  return (
    <select
      required={props.isRequired && automatic === undefined}
      value={textOf(props.value)}
      onChange={({ currentTarget }) => props.onChange(typed(props.schema, currentTarget.value))}
    >
      <option value="">{none}</option>
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

const choicesOf = ({ choices = {} }: FormField): Choice[] => Object.entries(choices).map(([id, name]) => ({ id, name }))

/** How long after the last key choices are read that depend on another field, in milliseconds. */
const pauseMs = 500

/** A field whose choices are at the platform; a text where they cannot be read. */
const ListedField = (props: FieldProps) => {
  const { path, accountId, block } = props
  const [choices, setChoices] = useState<readonly Choice[]>([])
  const subreddit = textOf(block['subreddit']).replace(/^\/?r\//, '')
  const read = async (signal: AbortSignal) => {
    if (subreddit !== '') await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return signal.aborted ? undefined : listed[path]?.(accountId, { ...block, subreddit })
  }
  useReadEffect(accountId === '' ? undefined : read, [path, accountId, subreddit], setChoices)
  return choices.length === 0 ? <Text {...props} /> : <Select {...props} choices={choices} />
}

const Text = ({ schema, value, isRequired, onChange }: FieldProps) => {
  const isNumber = schema.type === 'number' || schema.type === 'integer'
  const isUrl = schema.format === 'uri'
  if (!isNumber && !isUrl && (schema.maxLength ?? 0) > 300) {
    return (
      <textarea
        rows={3}
        value={textOf(value)}
        onInput={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    )
  }
  return (
    <input
      // The types of Preact allow roles by the type of the input.
      type={(isNumber ? 'number' : isUrl ? 'url' : 'text') as 'text'}
      step="any"
      required={isRequired}
      value={textOf(value)}
      onInput={({ currentTarget }) => onChange(typed(schema, currentTarget.value))}
    />
  )
}

/** A list of texts, one per line. What is being typed stays; only what is left is read. */
const Lines = ({ value, onChange }: FieldProps) => (
  <textarea
    rows={2}
    defaultValue={Array.isArray(value) ? value.join('\n') : ''}
    onChange={({ currentTarget }) => {
      const lines = currentTarget.value.split('\n').filter((line) => line.trim() !== '')
      onChange(lines.length === 0 ? undefined : lines)
    }}
  />
)

/** Several of the values of a list. */
const Boxes = ({ field, value, onChange }: FieldProps) => {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  return (
    <div class="choices">
      {choicesOf(field).map(({ id, name }) => (
        <label key={id} class="choice">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((other) => other !== id)
              const next = currentTarget.checked ? [...others, id] : others
              onChange(next.length === 0 ? undefined : next)
            }}
          />
          {name}
        </label>
      ))}
    </div>
  )
}

/** A file of the library by its ID. An upload that ends after the field is gone changes nothing. */
const Asset = ({ field, value, onChange }: FieldProps) => {
  const [waiting, setWaiting] = useState<readonly ChosenFile[]>([])
  const stored = typeof value === 'string' ? [{ ...chosenFile(value, knownAsset(value)), key: value }] : []
  const files = waiting.length > 0 ? waiting : stored
  const latest = useRef({ files, value, onChange, isShown: true })
  latest.current = { ...latest.current, files, value, onChange }
  useEffect(
    () => () => {
      latest.current.isShown = false
    },
    [],
  )
  const set: ChangeFiles = (to) => {
    const { current } = latest
    current.files = to(current.files)
    const [file] = current.files
    setWaiting(file?.id === undefined ? current.files : [])
    if (current.isShown && file?.id !== current.value) current.onChange(file?.id)
  }
  return <Uploads label={field.label} max={1} files={files} change={set} />
}

/** What an object that a person adds begins with. */
const startOf = (fields: PlatformForm): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field === 'hidden' || field.default === undefined || field.default === false ? [] : [[name, field.default]],
    ),
  )

/** A list whose items are added one by one: the choices of a poll, or tagged people. */
const Items = (props: FieldProps) => {
  const { path, schema, field, value, onChange } = props
  const { items = {}, maxItems = Number.POSITIVE_INFINITY } = schema
  const { item = field.label, fields } = field
  const filled: readonly unknown[] = Array.isArray(value) ? value : []
  // A poll has two choices at least.
  const shown = fields === undefined && filled.length < 2 ? [...filled, '', ''].slice(0, 2) : filled
  const set = (n: number, next: unknown) => onChange(shown.with(n, next))
  const remove = (n: number) => {
    const others = shown.toSpliced(n, 1)
    onChange(others.length === 0 ? undefined : others)
  }
  return (
    <div class="items">
      {shown.map((each, n) => (
        <div key={n} class="item">
          {fields === undefined ? (
            <input
              aria-label={`${item} ${n + 1}`}
              placeholder={`${item} ${n + 1}`}
              value={textOf(each)}
              onInput={({ currentTarget }) => set(n, currentTarget.value)}
            />
          ) : (
            <fieldset>
              <legend>{`${item} ${n + 1}`}</legend>
              <FieldList
                {...{ path, schema: items, form: fields, accountId: props.accountId }}
                values={isObject(each) ? each : {}}
                onChange={(next) => set(n, next)}
              />
            </fieldset>
          )}
          {(fields !== undefined || shown.length > 2) && (
            <button
              type="button"
              class="plain"
              aria-label={`Remove ${item.toLowerCase()} ${n + 1}`}
              onClick={() => remove(n)}
            >
              Remove
            </button>
          )}
        </div>
      ))}
      {shown.length < maxItems && (
        <button type="button" onClick={() => onChange([...shown, fields === undefined ? '' : startOf(fields)])}>
          Add {item.toLowerCase()}
        </button>
      )}
    </div>
  )
}

/** An object that a person adds as a whole, such as a poll or a link card. */
const Group = (props: FieldProps) => {
  const { path, schema, field, value, onChange } = props
  const { label, fields = {} } = field
  if (!isObject(value)) {
    return (
      <p>
        <button type="button" onClick={() => onChange(startOf(fields))}>
          Add {label.toLowerCase()}
        </button>
      </p>
    )
  }
  return (
    <fieldset>
      <legend>{label}</legend>
      <FieldList {...{ path, schema, form: fields, accountId: props.accountId }} values={value} onChange={onChange} />
      <button type="button" class="plain" onClick={() => onChange(undefined)}>
        Remove {label.toLowerCase()}
      </button>
    </fieldset>
  )
}

/** Whether a field names a file; the platforms list these, with `*` for each item of a list. */
const isAsset = (path: string): boolean => {
  const [platform = ''] = path.split('.', 1)
  const names = Object.keys(knownPlatform(platform)?.assetFields ?? {})
  return names.some((name) => `${platform}.${name.replace('.*', '')}` === path)
}

const Field = (props: FieldProps & { inferred: unknown }) => {
  const { path, schema, field, value, onChange, inferred } = props
  const { label, help, choices, fields } = field
  if (isAsset(path)) return <Asset {...props} />
  if (schema.type === 'object') return <Group {...props} />
  if (schema.type === 'boolean' && field.default !== undefined) {
    return (
      <label class="choice">
        <input
          type="checkbox"
          checked={value === undefined ? field.default === true : value === true}
          onChange={({ currentTarget: { checked } }) => onChange(checked === field.default ? undefined : checked)}
        />
        {label}
      </label>
    )
  }
  const isList = schema.type === 'array'
  if (isList && (field.item !== undefined || choices !== undefined || fields !== undefined)) {
    return (
      <fieldset>
        <legend>{label}</legend>
        {help !== undefined && <p class="hint">{help}</p>}
        {choices === undefined ? <Items {...props} /> : <Boxes {...props} />}
      </fieldset>
    )
  }
  return (
    // The control is in one of several forms.
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the component inside
    <label class="field">
      {label}
      {help !== undefined && <span class="hint">{help}</span>}
      {isList ? (
        <Lines {...props} />
      ) : listed[path] !== undefined ? (
        <ListedField {...props} />
      ) : choices === undefined ? (
        <Text {...props} />
      ) : (
        <Select {...props} choices={choicesOf(field)} inferred={inferred} />
      )}
    </label>
  )
}

interface FieldListProps {
  path: string
  schema: Schema
  form: PlatformForm
  accountId: string
  values: Values
  /** The values with those that follow from the rest of the post. */
  effective?: Values
  onChange: (values: Values) => void
}

/** The fields of an object that matter now, in the order of its form. */
const fieldsIn = ({ schema: { properties = {} }, form, values, effective = values }: FieldListProps) =>
  Object.entries(form).flatMap(([name, field]) => {
    const schema = properties[name]
    if (field === 'hidden' || schema === undefined) return []
    const matters = Object.entries(field.when ?? {}).every(([other, of]) => of.includes(textOf(effective[other])))
    return matters || values[name] !== undefined ? [{ name, field, schema }] : []
  })

const FieldList = (props: FieldListProps & { only?: readonly string[] }) => {
  const { path, schema, accountId, values, effective = values, onChange, only } = props
  const { required = [] } = schema
  return (
    <>
      {fieldsIn(props)
        .filter(({ name }) => only === undefined || only.includes(name))
        .map(({ name, field, schema: own }) => (
          <Field
            key={name}
            path={`${path}.${name}`}
            {...{ schema: own, field, accountId }}
            block={values}
            isRequired={required.includes(name)}
            value={values[name]}
            inferred={values[name] === undefined ? effective[name] : undefined}
            onChange={(value) => {
              const { [name]: _before, ...others } = values
              onChange(value === undefined ? others : { ...others, [name]: value })
            }}
          />
        ))}
    </>
  )
}

/** The fields that only one platform has: those that it requires, then the others. */
export const Fields = ({ workspaceId, platform }: { workspaceId: string; platform: string }) => {
  const schema = schemaOf(platform)
  const values = form.value.metadata[platform] ?? {}
  const props = {
    path: platform,
    schema,
    form: formOf(platform),
    accountId: form.value.accountIds.find((id) => accountOf(id)?.providerId === platform) ?? '',
    values,
    effective: blockFor(form.value, platform),
    onChange: (next: Values) => change(workspaceId, { metadata: { ...form.value.metadata, [platform]: next } }),
  }
  const names = fieldsIn(props).map(({ name }) => name)
  // What was filled in is in sight, and so is what the platform requires.
  const main = names.filter((name) => schema.required?.includes(name) || isGroup(values[name]))
  const more = names.filter((name) => !main.includes(name))
  return (
    <div class="fields">
      <FieldList {...props} only={main} />
      {more.length > 0 && (
        <details>
          <summary>More {knownPlatform(platform)?.name} options</summary>
          <div class="more-fields">
            <FieldList {...props} only={more} />
          </div>
        </details>
      )}
    </div>
  )
}
