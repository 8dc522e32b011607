import { ArrowLeft, History, KeyRound, type LucideIcon, ScrollText, Stamp } from 'lucide-react'
import { Link } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { BackupLine } from '#web/diagnostics/backup-line.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { BudgetWarning } from '../usage/budget-warning.tsx'
import { UsageCard } from '../usage/usage-card.tsx'
import { ContextTexts } from './context-texts.tsx'
import { ToolServers } from './tool-servers.tsx'

const adminLinks: { to: string; title: string; description: string; Icon: LucideIcon }[] = [
  {
    to: '/studio/kip/api-keys',
    title: 'Platform API Keys',
    description: 'Fallback keys for people who don’t have their own.',
    Icon: KeyRound,
  },
  {
    to: '/studio/kip/agents',
    title: 'Manage Agents',
    description: 'Every agent you can see, and what you can do with it.',
    Icon: Stamp,
  },
  {
    to: '/studio/kip/logs',
    title: 'Agent Execution Logs',
    description: 'Every run with its duration and result.',
    Icon: ScrollText,
  },
  {
    to: '/admin/audit',
    title: 'Audit Log',
    description: 'Who did what, and to whom.',
    Icon: History,
  },
]

const cardClasses = 'flex h-full items-start gap-3.5 rounded-lg border border-border bg-card px-4 py-4 shadow-e1'

export function StudioAdminPage() {
  const { access, accessError, refetchAccess } = useAuth()
  // If permissions can’t be loaded, only the person’s own usage is shown.
  const permissions = access?.permissions ?? (accessError ? [] : undefined)
  return (
    <>
      <PageHeader
        title="Studio Admin"
        subtitle={
          <Link to="/studio/kip" className="inline-flex items-center gap-1.5 rounded-xs hover:text-foreground">
            <ArrowLeft aria-hidden size={14} />
            Back to Studio
          </Link>
        }
      />
      <BudgetWarning className="mb-4" />
      {access?.permissions.includes('system_configuration') && <BackupLine />}
      <ul className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        {adminLinks.map(({ to, title, description, Icon }) => (
          <li key={to}>
            <Link to={to} className={`${cardClasses} transition-colors duration-120 hover:border-input/60`}>
              <Icon aria-hidden size={20} className="mt-0.5 shrink-0 text-chart1" />
              <span>
                <span className="block font-serif text-h3">{title}</span>
                <span className="mt-0.5 block text-ui text-muted-foreground">{description}</span>
              </span>
            </Link>
          </li>
        ))}
        <li>
          <UsageCard permissions={permissions} className={cardClasses} />
        </li>
      </ul>
      {access?.permissions.includes('system_configuration') && <ToolServers />}
      <ContextTexts
        isPermitted={access?.permissions.includes('system_configuration')}
        failure={accessError}
        onRetry={refetchAccess}
      />
    </>
  )
}
