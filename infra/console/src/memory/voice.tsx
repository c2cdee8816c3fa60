import { Form } from '../form.tsx'
import { Loading } from '../parts.tsx'
import { api, workspace } from '../store.ts'
import { useRead } from '../use-read.ts'

const settings = [
  { name: 'description', label: 'Description', hint: 'Your brand, and who you talk to.' },
  { name: 'tone', label: 'Tone', hint: 'How posts should sound.' },
  { name: 'style', label: 'Style', hint: 'How posts should be written.' },
  { name: 'personality', label: 'Persona', hint: 'Who is speaking.' },
] as const

/** How AI writes for the workspace. */
export const Voice = () => {
  const id = workspace.value?.id ?? ''
  const [read, readAgain] = useRead(async () => ({ voice: (await api().workspaces.getVoice(id)) ?? {} }), [id])
  if (read === undefined) return <Loading />
  const { voice } = read
  if (workspace.value?.role === 'member') {
    return (
      <>
        <p class="soft">Only owners and admins can change this.</p>
        {settings.map(({ name, label }) => (
          <p key={name}>
            {label}: {voice[name] ?? 'not set'}
          </p>
        ))}
      </>
    )
  }
  return (
    <Form
      key={JSON.stringify(voice)}
      button="Save"
      fields={settings.map((setting) => ({
        ...setting,
        type: 'lines',
        isOptional: true,
        value: voice[setting.name] ?? '',
      }))}
      call={async ({ text }) => {
        const change = Object.fromEntries(settings.map(({ name }) => [name, text(name)]))
        return { voice: await api().workspaces.updateVoice(id, change) }
      }}
      done="Voice saved"
      onDone={readAgain}
    />
  )
}
