import { type ComponentType, lazy, type ReactElement, Suspense, useState } from 'react'
import { createRoutesFromElements, matchRoutes, Navigate, Route, useRoutes } from 'react-router'
import { AppLayout } from './shell/app-layout.tsx'
import { LoadingText } from './ui/panels/loading-text.tsx'

const pageLoaders = new Map<unknown, () => Promise<void>>()

const Landing = lazyPage(() => import('./landing/landing-page.tsx').then((m) => m.LandingPage))
const Login = lazyPage(() => import('./accounts/login-page.tsx').then((m) => m.LoginPage))
const Register = lazyPage(() => import('./accounts/register-page.tsx').then((m) => m.RegisterPage))
const Debug = lazyPage(() => import('./diagnostics/debug-page.tsx').then((m) => m.DebugPage))
const RootDashboard = lazyPage(() => import('./home/root-dashboard-page.tsx').then((m) => m.RootDashboardPage))
const PersonalKeys = lazyPage(() => import('./keys/personal-keys-page.tsx').then((m) => m.PersonalKeysPage))
const PlatformKeys = lazyPage(() => import('./keys/platform-keys-page.tsx').then((m) => m.PlatformKeysPage))
const ManageAgents = lazyPage(() => import('./agents/registry/manage-agents-page.tsx').then((m) => m.ManageAgentsPage))
const AgentWorkspace = lazyPage(() =>
  import('./boards/entity/agent/agent-workspace-page.tsx').then((m) => m.AgentWorkspacePage),
)
const Logs = lazyPage(() => import('./agents/runs/logs-page.tsx').then((m) => m.LogsPage))
const Studio = lazyPage(() => import('./agents/studio/studio-page.tsx').then((m) => m.StudioPage))
const StudioAdmin = lazyPage(() => import('./agents/studio/studio-admin-page.tsx').then((m) => m.StudioAdminPage))
const Moments = lazyPage(() => import('./keepers/moments/moments-page.tsx').then((m) => m.MomentsPage))
const Book = lazyPage(() => import('./keepers/book/book-page.tsx').then((m) => m.BookPage))
const LeadChat = lazyPage(() => import('./agents/chat/lead-chat-page.tsx').then((m) => m.LeadChatPage))
const ReflectionJournal = lazyPage(() =>
  import('./keepers/reflections/reflection-journal-page.tsx').then((m) => m.ReflectionJournalPage),
)
const AllKeepers = lazyPage(() => import('./keepers/shelf/all-keepers-page.tsx').then((m) => m.AllKeepersPage))
const ManageKeepers = lazyPage(() =>
  import('./keepers/settings/manage-keepers-page.tsx').then((m) => m.ManageKeepersPage),
)
const NewKeeper = lazyPage(() => import('./keepers/wizard/new-keeper-page.tsx').then((m) => m.NewKeeperPage))
const KeeperMetadata = lazyPage(() =>
  import('./keepers/settings/keeper-metadata-page.tsx').then((m) => m.KeeperMetadataPage),
)
const RecentlyDeleted = lazyPage(() =>
  import('./keepers/bin/recently-deleted-page.tsx').then((m) => m.RecentlyDeletedPage),
)
const SoleMemory = lazyPage(() => import('./keepers/sole/sole-memory-page.tsx').then((m) => m.SoleMemoryPage))
const MemoryTools = lazyPage(() => import('./keepers/sole/sole-memory-page.tsx').then((m) => m.MemoryToolsPage))
const KeeperTypes = lazyPage(() => import('./keepers/types/keeper-types-page.tsx').then((m) => m.KeeperTypesPage))
const Journeys = lazyPage(() => import('./keepers/journeys/journeys-page.tsx').then((m) => m.JourneysPage))
const VoicePanel = lazyPage(() => import('./keepers/voice/voice-panel-page.tsx').then((m) => m.VoicePanelPage))
const EchoWriter = lazyPage(() => import('./keepers/echoes/echo-writer-page.tsx').then((m) => m.EchoWriterPage))
const IdentityLogbook = lazyPage(() =>
  import('./keepers/logbook/identity-logbook-page.tsx').then((m) => m.IdentityLogbookPage),
)
const Sources = lazyPage(() => import('./keepers/sources/sources-page.tsx').then((m) => m.SourcesPage))
const MemoryCards = lazyPage(() =>
  import('./keepers/memory-cards/memory-cards-page.tsx').then((m) => m.MemoryCardsPage),
)
const Workbench =
  import.meta.env.DEV && lazyPage(() => import('./workbench/workbench-page.tsx').then((m) => m.WorkbenchPage))
const KeeperDashboard = lazyPage(() =>
  import('./keepers/dashboard/keeper-dashboard-page.tsx').then((m) => m.KeeperDashboardPage),
)
const EngagementTemplates = lazyPage(() =>
  import('./keepers/templates/engagement-templates-page.tsx').then((m) => m.EngagementTemplatesPage),
)
const KeeperTemplates = lazyPage(() =>
  import('./keepers/templates/keeper-templates-page.tsx').then((m) => m.KeeperTemplatesPage),
)
const Engagement = lazyPage(() => import('./keepers/templates/engagement-page.tsx').then((m) => m.EngagementPage))
const MemoryPatterns = lazyPage(() =>
  import('./keepers/patterns/memory-patterns-page.tsx').then((m) => m.MemoryPatternsPage),
)
const AgentClasses = lazyPage(() => import('./agents/classes/agent-classes-page.tsx').then((m) => m.AgentClassesPage))
const PlatformRoles = lazyPage(() =>
  import('./administration/roles/platform-roles-page.tsx').then((m) => m.PlatformRolesPage),
)
const PlatformUsers = lazyPage(() =>
  import('./administration/users/platform-users-page.tsx').then((m) => m.PlatformUsersPage),
)
const Library = lazyPage(() => import('./library/library-page.tsx').then((m) => m.LibraryPage))
const Search = lazyPage(() => import('./search/search-page.tsx').then((m) => m.SearchPage))
const AuditLog = lazyPage(() => import('./administration/audit/audit-log-page.tsx').then((m) => m.AuditLogPage))
const Backups = lazyPage(() => import('./administration/backups/backups-page.tsx').then((m) => m.BackupsPage))
const Transfer = lazyPage(() => import('./keepers/transfer/transfer-page.tsx').then((m) => m.TransferPage))
const DomainBoard = lazyPage(() =>
  import('./boards/entity/domain/domain-board-page.tsx').then((m) => m.DomainBoardPage),
)
const DomainManagement = lazyPage(() =>
  import('./domains/administration/domain-management-page.tsx').then((m) => m.DomainManagementPage),
)
const PeopleBoard = lazyPage(() => import('./domains/people/people-board-page.tsx').then((m) => m.PeopleBoardPage))
const SharedDomain = lazyPage(() => import('./keepers/shared/shared-domain-page.tsx').then((m) => m.SharedDomainPage))
const SharedKeeper = lazyPage(() => import('./keepers/shared/shared-keeper-page.tsx').then((m) => m.SharedKeeperPage))
const SharedJourney = lazyPage(() =>
  import('./keepers/shared/shared-journey-page.tsx').then((m) => m.SharedJourneyPage),
)
const BoardStudio = lazyPage(() => import('./boards/studio/board-studio-page.tsx').then((m) => m.BoardStudioPage))
const JourneyBoard = lazyPage(() =>
  import('./boards/entity/journey/journey-board-page.tsx').then((m) => m.JourneyBoardPage),
)
const KeeperTypeBoard = lazyPage(() =>
  import('./boards/entity/keeper-type/keeper-type-board-page.tsx').then((m) => m.KeeperTypeBoardPage),
)
const BoardDemo = lazyPage(() => import('./boards/demo/board-demo-page.tsx').then((m) => m.BoardDemoPage))
const Authorize = lazyPage(() => import('./connections/authorize-page.tsx').then((m) => m.AuthorizePage))
const ApiReference = lazyPage(() => import('./api-reference/api-reference-page.tsx').then((m) => m.ApiReferencePage))
const NotFound = lazyPage(() => import('./shell/not-found-page.tsx').then((m) => m.NotFoundPage))

const routes = createRoutesFromElements(
  <>
    <Route path="/" element={<Landing />} />
    <Route path="/login" element={<Login />} />
    <Route path="/register" element={<Register />} />
    <Route path="/debug" element={<Debug />} />
    {Workbench && <Route path="/dev" element={<Workbench />} />}
    <Route path="/kip" element={<LeadChat />} />
    <Route path="/ceox" element={<LeadChat />} />
    <Route path="/:agentSlug" element={<LeadChat />} />

    <Route element={<AppLayout allowsVisitors />}>
      <Route path="/board-demo" element={<BoardDemo />} />
      <Route path="/api" element={<ApiReference />} />
      <Route path="*" element={<NotFound />} />
    </Route>

    <Route element={<AppLayout handlesSessionEnd />}>
      <Route path="/studio/admin/api-keys" element={<PlatformKeys />} />
      <Route path="/studio/kip/api-keys" element={<PlatformKeys />} />
      <Route path="/keeper/:id/reflection-journal" element={<ReflectionJournal />} />
      <Route path="/studio/board-studio" element={<BoardStudio />} />
    </Route>

    <Route element={<AppLayout />}>
      <Route path="/root" element={<RootDashboard />} />
      <Route path="/root/profile" element={<RootDashboard />} />
      <Route path="/root/domain" element={<RootDashboard />} />
      <Route path="/root/domain/:domainId" element={<SharedDomain />} />
      <Route path="/root/domain/:domainId/keepers/:keeperId" element={<SharedKeeper />} />
      <Route path="/root/domain/:domainId/journeys/:journeyId" element={<SharedJourney />} />
      <Route path="/root/api-keys" element={<PersonalKeys />} />
      <Route path="/oauth/authorize" element={<Authorize />} />
      <Route path="/root/settings/api-keys" element={<PersonalKeys />} />

      <Route path="/studio" element={<Navigate to="/studio/agents" replace />} />
      <Route path="/studio/agents" element={<ManageAgents />} />
      <Route path="/studio/kip/agents" element={<ManageAgents />} />
      <Route path="/studio/agents/:agentId" element={<AgentWorkspace />} />
      <Route path="/studio/agent-board" element={<AgentWorkspace />} />
      <Route path="/studio/domain-board" element={<DomainBoard />} />
      <Route path="/studio/journey-board" element={<JourneyBoard />} />
      <Route path="/studio/keeper-type-board" element={<KeeperTypeBoard />} />
      <Route path="/studio/people-board" element={<PeopleBoard />} />
      <Route path="/board-studio" element={<Navigate to="/studio/board-studio" replace />} />
      <Route path="/studio/memory-patterns" element={<MemoryPatterns />} />
      <Route path="/studio/agent-classes" element={<AgentClasses />} />
      <Route path="/studio/engagement-templates" element={<Studio />} />
      <Route path="/studio/themes" element={<Studio />} />
      <Route path="/studio/kip" element={<Studio />} />
      <Route path="/studio/admin/logs" element={<Logs />} />
      <Route path="/studio/kip/logs" element={<Logs />} />
      <Route path="/studio/admin" element={<StudioAdmin />} />

      <Route path="/admin/domains" element={<DomainManagement />} />
      <Route path="/admin/roles" element={<PlatformRoles />} />
      <Route path="/admin/users" element={<PlatformUsers />} />
      <Route path="/admin/audit" element={<AuditLog />} />
      <Route path="/admin/backups" element={<Backups />} />

      <Route path="/library" element={<Library />} />
      <Route path="/search" element={<Search />} />

      <Route path="/keeper" element={<AllKeepers />} />
      <Route path="/keeper/manage" element={<ManageKeepers />} />
      <Route path="/keeper/types" element={<KeeperTypes />} />
      <Route path="/keeper/bin" element={<RecentlyDeleted />} />
      <Route path="/keeper/transfer" element={<Transfer />} />
      <Route path="/keeper/engagement-templates" element={<EngagementTemplates />} />
      <Route path="/keeper/new" element={<NewKeeper />} />
      <Route path="/keeper/selected/metadata" element={<KeeperMetadata />} />
      <Route path="/keeper/selected/engagement-templates" element={<KeeperTemplates />} />
      <Route path="/keeper/selected/memory-tools" element={<MemoryTools />} />
      <Route path="/keeper/:id/dashboard" element={<KeeperDashboard />} />
      <Route path="/keeper/:id/topics" element={<KeeperDashboard />} />
      <Route path="/keeper/:id/voice" element={<KeeperDashboard />} />
      <Route path="/keeper/:id/logbook" element={<KeeperDashboard />} />
      <Route path="/keeper/:id/memory" element={<SoleMemory />} />
      <Route path="/keeper/:id/journeys" element={<Journeys />} />
      <Route path="/keeper/:id/moments" element={<Moments />} />
      <Route path="/keeper/:id/book" element={<Book />} />
      <Route path="/keeper/:id/memory-cards" element={<MemoryCards />} />
      <Route path="/keeper/:id/sources" element={<Sources />} />
      <Route path="/keeper/:id/voice-panel" element={<VoicePanel />} />
      <Route path="/keeper/:id/echo-writer" element={<EchoWriter />} />
      <Route path="/keeper/:id/engagement" element={<Engagement />} />
      <Route path="/keeper/:id/identity-logbook" element={<IdentityLogbook />} />
    </Route>
  </>,
)

export function AppRoutes() {
  return <Suspense fallback={<LoadingText />}>{useRoutes(routes)}</Suspense>
}

/** Loads the code of a page right away. Rendering loads it only after the shell around it. */
export function preloadPage(path: string): void {
  for (const { route } of matchRoutes(routes, path) ?? []) {
    const load = pageLoaders.get((route.element as ReactElement).type)
    // A failure shows when the page is rendered.
    load?.().catch(() => undefined)
  }
}

interface PageCode {
  LazyPage: ComponentType
  LoadedPage?: ComponentType
}

function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  const code: PageCode = { LazyPage: lazy(async () => ({ default: await load() })) }
  return withLoader(
    () => <PageFromCode code={code} />,
    async () => {
      code.LoadedPage = await load()
    },
  )
}

function withLoader(page: ComponentType, load: () => Promise<void>): ComponentType {
  pageLoaders.set(page, load)
  return page
}

/** React keeps a lazy page behind its fallback for 300 ms, also one that is loaded. */
function PageFromCode({ code: { LazyPage, LoadedPage = LazyPage } }: { code: PageCode }) {
  const [Component] = useState<ComponentType>(() => LoadedPage)
  return <Component />
}
