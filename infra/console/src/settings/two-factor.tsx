import { generate } from 'lean-qr/nano'
import { useState } from 'preact/hooks'
import type { Client } from 'social-publishing-client'
import { Action, type Field, Form, Secret } from '../form.tsx'
import { Health, Loading, Properties } from '../parts.tsx'
import { service } from '../service.ts'
import { useRead } from '../use-read.ts'
import { ownPassword } from './password.tsx'

const { auth } = service

type Enrollment = Awaited<ReturnType<Client['auth']['enrollTwoFactor']>>
type Codes = Awaited<ReturnType<Client['auth']['confirmTwoFactor']>>

const code: Field = {
  name: 'code',
  label: 'Code',
  hint: 'The six digits in your app.',
  autocomplete: 'one-time-code',
}
const proofOf = (email: string): Field[] => [
  ...ownPassword(email),
  { ...code, hint: 'The six digits in your app, or a recovery code.' },
]

const secretOf = ({ recoveryCodes }: Codes) => ({
  label: 'Each code works once, instead of a code from your app. Copy them now. You won’t see them again.',
  value: recoveryCodes.join('\n'),
})

/** Light modules around the code, which ISO/IEC 18004 requires. */
const quietZone = 4

/** Dark on light in every color scheme: not every reader takes the inverse. */
const QrCode = ({ label, text }: { label: string; text: string }) => {
  const code = generate(text)
  const steps = [...Array(code.size).keys()]
  const dark = steps.flatMap((y) => steps.filter((x) => code.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`))
  const size = code.size + 2 * quietZone
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`${-quietZone} ${-quietZone} ${size} ${size}`}>
      <path d={dark.join('')} />
    </svg>
  )
}

const Confirm = ({
  enrollment: { secret, otpauthUri },
  onConfirm,
}: {
  enrollment: Enrollment
  onConfirm: (codes: Codes) => void
}) => (
  <Form
    fields={[code]}
    button="Enable"
    call={({ text }) => auth.confirmTwoFactor({ code: text('code') })}
    onDone={onConfirm}
  >
    <p>
      Scan this code with your authenticator app, enter the key in it, or <a href={otpauthUri}>open it in the app</a> on
      this device. Then enter the code that the app shows.
    </p>
    <QrCode label="QR code" text={otpauthUri} />
    <Properties values={{ Key: secret, URI: otpauthUri }} />
  </Form>
)

const On = ({ email, onChange }: { email: string; onChange: () => void }) => (
  <div class="actions">
    <Action
      name="Generate new codes"
      fields={proofOf(email)}
      call={({ text }) => auth.replaceRecoveryCodes({ password: text('password'), code: text('code') })}
      secretOf={secretOf}
    />
    <Action
      name="Turn off"
      fields={proofOf(email)}
      call={({ text }) => auth.disableTwoFactor({ password: text('password'), code: text('code') })}
      done="Two-factor is off."
      onDone={onChange}
    />
  </div>
)

export const TwoFactorSection = () => {
  const [session, again] = useRead(() => auth.getSession(), [])
  const [enrollment, setEnrollment] = useState<Enrollment>()
  const [codes, setCodes] = useState<Codes>()
  if (session === undefined) return <Loading />
  const isOn = session.twoFactorEnabled
  return (
    <>
      <p>
        <Health isGood={isOn}>{isOn ? 'on' : 'off'}</Health>{' '}
        {isOn ? 'On: you need a code from your app to sign in.' : 'Off: only your password is needed.'}
      </p>
      {codes !== undefined && <Secret {...secretOf(codes)} />}
      {isOn && <On email={session.user.email} onChange={again} />}
      {!isOn && enrollment === undefined && (
        <Form
          fields={ownPassword(session.user.email)}
          button="Set up"
          call={({ text }) => auth.enrollTwoFactor({ password: text('password') })}
          onDone={setEnrollment}
        />
      )}
      {!isOn && enrollment !== undefined && (
        <Confirm
          enrollment={enrollment}
          onConfirm={(confirmed) => {
            setCodes(confirmed)
            setEnrollment(undefined)
            again()
          }}
        />
      )}
    </>
  )
}
