import { useQuery } from '@tanstack/react-query'
import { Archive, ArrowLeft, History, KeyRound, type LucideIcon, ScrollText, Stamp } from 'lucide-react'
import { Link } from 'react-router'
import { type ContextText, intent } from '#contract/agents/intent.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { call } from '#web/api/api.ts'
import { BackupLine, BackupLinePlaceholder } from '#web/diagnostics/backup-line.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { BudgetWarning } from '../usage/budget-line.tsx'
import { UsageCard } from '../usage/usage-card.tsx'
import { ContextTextForm, contextTextsKey } from './context-text-form.tsx'
import { ToolServers } from './tool-servers.tsx'

const scopeDescriptions: Record<ContextText['scope'], string> = {
  codebase: 'Given to agents with the context scope codebase, such as the Code Agent.',
  platform_wide: 'Given to agents with the context scope platform_wide, such as Kip and the Platform Agent.',
  system: 'Given to agents with the context scope system.',
}

function ContextTexts() {
  const { access, accessError, refetchAccess } = useAuth()
  const isPermitted = access?.permissions.includes('system_configuration') ?? false
  const texts = useQuery({
    queryKey: contextTextsKey,
    queryFn: ({ signal }) => call(intent.contextTexts, { signal }),
    enabled: isPermitted,
  })
  const accessQuery = { data: access, error: accessError, isPending: false, isFetching: false, refetch: refetchAccess }
  return (
    <section aria-label="Context texts" className="mt-8">
      <h2>Context texts</h2>
      <p className="mt-1 mb-4 max-w-[80ch] text-ui text-muted-foreground">
        An agent’s context scope decides which of these texts it gets, right after its purpose. Each run’s steps show
        what was added.
      </p>
      {access && !isPermitted && <p className="text-ui">You need the permission system_configuration for this.</p>}
      <QueryState
        query={isPermitted ? texts : accessQuery}
        skeleton={
          <SkeletonRows
            label="Loading the texts"
            count={2}
            rowClassName="h-40 rounded-lg"
            className="flex flex-col gap-4"
          />
        }
        title={(reason) => `Error loading the texts: ${reason.message}`}
      >
        The texts aren’t affected.
      </QueryState>
      <div className="flex flex-col gap-4">
        {texts.data?.map((text) => (
          <Card key={text.scope}>
            <ContextTextForm text={text} help={scopeDescriptions[text.scope]} />
          </Card>
        ))}
      </div>
    </section>
  )
}

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
  {
    to: '/admin/backups',
    title: 'Backups',
    description: 'Make, schedule, check and restore copies of everything.',
    Icon: Archive,
  },
]

const cardClasses = 'flex h-full items-start gap-3.5 rounded-lg border border-border bg-card px-4 py-4 shadow-e1'

export function StudioAdminPage() {
  const { access, accessError } = useAuth()
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
      {permissions ? permissions.includes('system_configuration') && <BackupLine /> : <BackupLinePlaceholder />}
      <ul className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        {adminLinks.map(({ to, title, description, Icon }) => (
          <li key={to}>
            <Link to={to} className={`${cardClasses} transition-colors duration-120 hover:border-input/60`}>
              <Icon aria-hidden size={20} className="mt-0.5 shrink-0 text-chart1" />
              <span>
                <span dir="auto" className="block font-serif text-h3">
                  {title}
                </span>
                <span className="mt-0.5 block text-ui text-muted-foreground">{description}</span>
              </span>
            </Link>
          </li>
        ))}
        <li>
          <UsageCard permissions={permissions} className={cardClasses} />
        </li>
      </ul>
      {permissions?.includes('system_configuration') && <ToolServers />}
      {permissions && <ContextTexts />}
    </>
  )
}
