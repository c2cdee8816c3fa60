import { type Field, Form } from '../form.tsx'
import { Loading } from '../parts.tsx'
import { service } from '../service.ts'
import { useRead } from '../use-read.ts'

const newPassword: Field = {
  name: 'newPassword',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
}

/** The password of a person, which some changes ask for again, with the address by which password managers find it. */
export const ownPassword = (email: string): Field[] => [
  { name: 'username', label: 'Email', isHidden: true, value: email, autocomplete: 'username' },
  { name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password' },
]

export const PasswordSection = () => {
  const [session] = useRead(() => service.auth.getSession(), [])
  if (session === undefined) return <Loading />
  return (
    <Form
      fields={[...ownPassword(session.user.email), newPassword]}
      button="Change password"
      call={({ text }) =>
        service.auth.changePassword({ currentPassword: text('password'), newPassword: text('newPassword') })
      }
      done="Password changed. You’re signed out everywhere else."
    >
      <p>This signs you out everywhere else. Tokens and assistants keep working.</p>
    </Form>
  )
}
