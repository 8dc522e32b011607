import { accounts } from '#contract/accounts/accounts.ts'
import { agents } from '#contract/agents/agents.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { domains } from '#contract/domains/domains.ts'
import { keys } from '#contract/keys/keys.ts'
import { live } from '#contract/live/live-events.ts'
import { tokenKey } from '#web/api/api.ts'
import { userKey } from '#web/api/api-token.ts'
import { getCurrentStore } from '#web/offline/local-store.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { backupWarnings, formatLastBackup } from './backup-line.tsx'
import { type CheckContext, CheckFailed, CheckSkipped, type DiagnosticCheck, type RemedyLink } from './check.ts'
import { requestSuccess } from './server-request.ts'

const manageKeysPermission = 'manage_api_keys'
export const personalKeysPage: RemedyLink = { linkText: 'Personal API Keys', to: '/root/api-keys' }
const toUserIdHeader = ({ user }: CheckContext) => ({ 'x-user-id': user?.id ?? '' })

export const sessionCheck: DiagnosticCheck = {
  id: 'session',
  name: 'Session',
  meaning: 'You’re signed in here, and the server recognizes your session.',
  remedy: 'Sign out and sign in again.',
  needsSignIn: true,
  async run(context) {
    const token = localStorage.getItem(tokenKey) ? 'present' : 'missing'
    const user = localStorage.getItem(userKey) ? 'present' : 'missing'
    if (token === 'missing' || user === 'missing')
      throw new CheckFailed('The token or user is missing from storage.', { token, user })
    const { data, meta } = await requestSuccess(context.request, accounts.session)
    const { permissions, platformRoles } = data
    context.permissions = permissions
    const detail = { ...meta, token, user, platform_roles: platformRoles, permissions: permissions.length }
    return { message: 'Token and user are in storage', detail }
  },
}

export const checksWhenSignedIn: DiagnosticCheck[] = [
  {
    id: 'api',
    name: 'API',
    meaning: 'The API answers and accepts your session.',
    remedy: 'Sign out and sign in again. If this check fails again, send the report.',
    needsSignIn: true,
    async run({ request }) {
      const { meta } = await requestSuccess(request, diagnostics.test)
      return { message: `GET /api/test answered ${meta.status}`, detail: meta }
    },
  },
  {
    id: 'database',
    name: 'Database',
    meaning: 'The database answers, has every migration and is intact.',
    remedy: 'If you have permission, use Fix database below. A damaged database has to be restored from a backup.',
    needsSignIn: true,
    async run({ request }) {
      const { data: state, meta } = await requestSuccess(request, diagnostics.database, { timeoutMs: 60_000 })
      const detail = { ...meta, ...state }
      const { pending } = state.migrations
      if (state.integrity !== 'ok') throw new CheckFailed('The database is damaged.', detail)
      if (pending.length > 0) throw new CheckFailed(`${pending.length} migrations are pending.`, detail)
      return { message: `${state.engine}: ${state.tables} tables, 0 pending`, detail }
    },
  },
  {
    id: 'backups',
    name: 'Backups',
    meaning: 'Backups are scheduled, and the newest is not overdue.',
    remedy:
      'Open Backups and choose Back up now. If the last backup failed, the reason is there too. The operating guide has more.',
    needsSignIn: true,
    async run({ request }) {
      const { data: state, meta } = await requestSuccess(request, diagnostics.backups)
      const detail = { ...meta, ...state }
      if (state.warning) throw new CheckFailed(`${backupWarnings[state.warning]} ${formatLastBackup(state)}`, detail)
      return { message: formatLastBackup(state), detail }
    },
  },
  {
    id: 'uuid',
    name: 'UUID round trip',
    meaning: 'A value written to the database reads back unchanged.',
    remedy: 'The database may be read-only or full. Check its disk.',
    needsSignIn: true,
    async run({ request, user }) {
      const body = { testUUID: newUuid(), userID: user?.id, testString: 'Keeper diagnostics' }
      const { data: returned, meta } = await requestSuccess(request, diagnostics.uuidTest, { body })
      const isSame = returned.testUUID === body.testUUID && returned.testString === body.testString
      const detail = { ...meta, same: isSame, database_ms: returned.ms }
      if (!isSame) throw new CheckFailed('A different value came back.', detail)
      return { message: 'The same value came back', detail }
    },
  },
  {
    id: 'user-keys',
    name: 'Personal API keys',
    meaning: 'Your provider keys can be listed; they stay masked.',
    remedy: 'Open Personal API Keys and save a refused key again.',
    remedyLink: personalKeysPage,
    needsSignIn: true,
    async run({ request }) {
      const { data: personalKeys, body, meta } = await requestSuccess(request, keys.listPersonal)
      const { platform = [] } = body as { platform?: string[] }
      const refused = personalKeys.filter(({ rejected_at }) => rejected_at !== null).map(({ provider }) => provider)
      const detail = { ...meta, own: personalKeys.map(({ provider }) => provider), refused, fallback: platform }
      return { message: `${personalKeys.length} of yours, ${platform.length} from the platform`, detail }
    },
  },
  {
    id: 'platform-keys',
    name: 'Platform keys',
    meaning: 'The platform’s keys are the same with any x-user-id: only the session identifies a person.',
    remedy: 'Send the report: the answers must be the same.',
    needsSignIn: true,
    permission: manageKeysPermission,
    async run(context) {
      const withoutHeader = await requestSuccess(context.request, keys.listPlatform)
      const headers = toUserIdHeader(context)
      const withHeader = await requestSuccess(context.request, keys.listPlatform, { headers })
      const { stats } = withoutHeader.data
      const isEqual = JSON.stringify(withoutHeader.data) === JSON.stringify(withHeader.data)
      const detail = { ...withoutHeader.meta, equal: isEqual, total: stats.total, active: stats.active }
      if (!isEqual) throw new CheckFailed('With x-user-id, the answer is different.', detail)
      return { message: `${stats.active} active, ${stats.total} saved`, detail }
    },
  },
  {
    id: 'platform-key-stats',
    name: 'Platform key statistics',
    meaning: 'The statistics of the platform’s keys can be loaded.',
    remedy: 'Reload the page. If this check fails again, send the report.',
    needsSignIn: true,
    permission: manageKeysPermission,
    async run(context) {
      const headers = toUserIdHeader(context)
      const { data, meta } = await requestSuccess(context.request, keys.platformStats, { headers })
      const { total, active, byProvider } = data
      return {
        message: `${total} in all, ${active} active`,
        detail: { ...meta, total, active, by_provider: byProvider },
      }
    },
  },
  {
    id: 'agents',
    name: 'Agents',
    meaning: 'Your agents and those that come with Keeper can be listed.',
    remedy: '“Fix Kip provider” below restores the agents that come with Keeper.',
    needsSignIn: true,
    async run({ request }) {
      const { data: list, meta } = await requestSuccess(request, agents.list)
      const detail = { ...meta, agents: list.length, kip: list.some(({ slug }) => slug === 'kip') }
      if (!detail.kip) throw new CheckFailed('Kip isn’t in the list of agents.', detail)
      return { message: `GET /api/kip/agents returned ${list.length}`, detail }
    },
  },
  {
    id: 'domains',
    name: 'Domains',
    meaning: 'Your domains can be listed.',
    remedy: 'Reload the page. If this check fails again, send the report.',
    needsSignIn: true,
    async run({ request }) {
      const { data, meta } = await requestSuccess(request, domains.mine)
      const { length } = data
      return { message: `GET /api/domains/my returned ${length}`, detail: { ...meta, domains: length } }
    },
  },
  {
    id: 'live-events',
    name: 'Live events',
    meaning: 'Pages update right away when something changes elsewhere.',
    remedy: 'A proxy must forward text/event-stream without buffering. See the operating guide.',
    needsSignIn: true,
    async run({ request }) {
      const { status, headers, meta } = await request(live.events, { headOnly: true })
      const contentType = headers.get('Content-Type')
      const detail = { ...meta, content_type: contentType }
      if (status === 429)
        throw new CheckSkipped('Too many pages are open to start another event stream. Close one and check again.')
      if (status !== 200) throw new CheckFailed(`GET /api/events answered ${status}`, detail)
      if (!contentType?.startsWith('text/event-stream'))
        throw new CheckFailed('The response isn’t an event stream.', detail)
      return { message: 'The event stream opens', detail }
    },
  },
  {
    id: 'kept-here',
    name: 'Unsent changes',
    meaning: 'Counts the drafts and changes the server doesn’t have yet, without reading them.',
    remedy: 'Go online with this page open to send your changes.',
    needsSignIn: true,
    inBrowser: true,
    async run() {
      const store = getCurrentStore()
      if (!store) throw new CheckFailed('The storage of this browser couldn’t be opened.')
      const [drafts, waiting] = await Promise.all([store.getAll('drafts'), store.getAll('writes')])
      const detail = { drafts: drafts.length, waiting: waiting.length, lasting: store.isPersistent }
      return { message: `${pluralize(drafts.length, 'draft')}, ${pluralize(waiting.length, 'change')} waiting`, detail }
    },
  },
]

/** Version 4; `crypto.randomUUID` exists only on https and localhost. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
