import type { ComponentChildren } from 'preact'
import { Empty } from '../parts.tsx'
import { route, to } from '../route.ts'
import { baseUrl } from '../service.ts'
import { workspace } from '../store.ts'
import { AssistantsSection } from './assistants.tsx'
import { AuditSection } from './audit.tsx'
import { PasswordSection } from './password.tsx'
import { SessionsSection } from './sessions.tsx'
import { TeamSection } from './team.tsx'
import { TokensSection } from './tokens.tsx'
import { TwoFactorSection } from './two-factor.tsx'
import { UsageSection } from './usage.tsx'
import { WorkspaceSection } from './workspace.tsx'

interface Section {
  name: string
  /** Members do not see it: the API refuses it to them. */
  isForAdmins?: boolean
  View: () => ComponentChildren
}

/** Every section, in the order of the list: those of the workspace, then those of the person. */
const sections: Readonly<Record<string, Section>> = {
  workspace: { name: 'Workspace', View: WorkspaceSection },
  team: { name: 'Team', View: TeamSection },
  assistants: { name: 'Assistants', View: AssistantsSection },
  usage: { name: 'Usage', View: UsageSection },
  audit: { name: 'Audit trail', isForAdmins: true, View: AuditSection },
  tokens: { name: 'Tokens', View: TokensSection },
  sessions: { name: 'Sessions', View: SessionsSection },
  'two-factor': { name: 'Two-factor', View: TwoFactorSection },
  password: { name: 'Password', View: PasswordSection },
}

/** The settings of the workspace and of the person who is signed in. */
export const SettingsView = () => {
  const { id } = route.value
  const shown = Object.hasOwn(sections, id) ? id : 'workspace'
  const section = sections[shown]
  const isMember = workspace.value?.role === 'member'
  return (
    <div class="settings">
      <nav aria-label="Settings">
        {Object.entries(sections)
          .filter(([, { isForAdmins }]) => !(isForAdmins && isMember))
          .map(([name, each]) => (
            <a key={name} href={to(`settings/${name}`)} aria-current={name === shown ? 'page' : undefined}>
              {each.name}
            </a>
          ))}
        <a href={`${baseUrl}/billing?workspace=${workspace.value?.slug}`}>Billing</a>
        <a href={`${baseUrl}/notifications`}>Notifications</a>
        <a href={`${baseUrl}/workspaces`}>All workspaces</a>
      </nav>
      <section>
        <h1>{section?.name}</h1>
        {section?.isForAdmins && isMember ? (
          <Empty>Only owners and admins can see this.</Empty>
        ) : (
          section !== undefined && <section.View key={shown} />
        )}
      </section>
    </div>
  )
}
