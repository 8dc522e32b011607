import {
  BookMarked,
  Bookmark,
  BookOpenText,
  Feather,
  Files,
  Globe,
  History,
  House,
  KeyRound,
  Landmark,
  LayoutPanelLeft,
  LibraryBig,
  type LucideIcon,
  MessagesSquare,
  Mic,
  NotebookPen,
  NotebookTabs,
  Route,
  ScrollText,
  Search,
  Settings2,
  Shapes,
  ShieldCheck,
  Stamp,
  Sunrise,
  SwatchBook,
  Tags,
  Users,
  Waypoints,
} from 'lucide-react'
import { findPageRoute } from '../page/page-routes.ts'
import { type ViewMode, viewModes } from '../page/view-mode.ts'

export interface NavigationLink {
  to: string
  label: string
  Icon: LucideIcon
  badge?: string
  alsoActive?: RegExp
}

export interface NavigationSection {
  id: string
  title: string
  links: NavigationLink[]
  /** Pages of the section that are listed only while they are open. */
  unlisted?: RegExp
}

export const navigation: Record<ViewMode, NavigationSection[]> = {
  Architect: [
    {
      id: 'agents',
      title: 'Agents',
      links: [
        {
          to: '/studio/agents',
          label: 'Manage Agents',
          Icon: Stamp,
          alsoActive: /^\/studio\/(kip(\/agents)?|agent-board|agents\/.*)$/,
        },
        { to: '/studio/memory-patterns', label: 'Memory Patterns', Icon: Waypoints },
        { to: '/studio/agent-classes', label: 'Agent Classes', Icon: Shapes },
      ],
    },
    {
      id: 'boards',
      title: 'Boards',
      links: [
        {
          to: '/studio/board-studio',
          label: 'Board Studio',
          Icon: LayoutPanelLeft,
          badge: 'Beta',
          alsoActive: /^\/(board-demo|studio\/(domain|journey|people)-board)$/,
        },
      ],
    },
    {
      id: 'keepers',
      title: 'Keepers',
      links: [
        {
          to: '/keeper/manage',
          label: 'Manage Keepers',
          Icon: BookMarked,
          alsoActive: /^\/keeper(\/(new|bin|transfer))?$/,
        },
        {
          to: '/keeper/types',
          label: 'Keeper Types',
          Icon: LibraryBig,
          alsoActive: /^\/studio\/keeper-type-board$/,
        },
        {
          to: '/keeper/engagement-templates',
          label: 'Engagement Templates',
          Icon: NotebookTabs,
          alsoActive: /^\/studio\/engagement-templates$/,
        },
      ],
    },
    {
      id: 'library',
      title: 'Library',
      links: [
        { to: '/studio/themes', label: 'Theme Library', Icon: SwatchBook },
        { to: '/library', label: 'Documents', Icon: Files },
      ],
    },
  ],
  MyKeeper: [
    {
      id: 'home',
      title: 'Home',
      links: [
        { to: '/root', label: 'Root Dashboard', Icon: House, alsoActive: /^\/root\/.*$/ },
        { to: '/search', label: 'Search', Icon: Search },
      ],
      unlisted: /^\/(api|oauth\/authorize)$/,
    },
    {
      id: 'keeper',
      title: 'Your keeper',
      links: [
        { to: '/keeper/1/dashboard', label: 'Dashboard', Icon: Sunrise },
        { to: '/keeper/1/journeys', label: 'Journeys', Icon: Route },
        { to: '/keeper/1/moments', label: 'Moments', Icon: Feather, alsoActive: /\/book$/ },
        { to: '/keeper/1/topics', label: 'Topics', Icon: Tags },
        { to: '/keeper/1/voice', label: 'Voice Panel', Icon: Mic, alsoActive: /\/voice-panel$/ },
        { to: '/keeper/1/logbook', label: 'Logbook', Icon: NotebookPen, alsoActive: /\/identity-logbook$/ },
      ],
    },
  ],
  Admin: [
    {
      id: 'people',
      title: 'People',
      links: [
        { to: '/root/profile', label: 'User Management', Icon: Users, alsoActive: /^\/admin\/(users|audit)$/ },
        { to: '/admin/roles', label: 'Platform Roles', Icon: ShieldCheck },
      ],
    },
    {
      id: 'platform',
      title: 'Platform',
      links: [
        {
          to: '/studio/kip/api-keys',
          label: 'Platform API Keys',
          Icon: KeyRound,
          alsoActive: /^\/studio\/admin\/api-keys$/,
        },
        { to: '/studio/admin/logs', label: 'System Logs', Icon: ScrollText, alsoActive: /^\/studio\/kip\/logs$/ },
        { to: '/admin/domains', label: 'Domain Management', Icon: Globe },
      ],
      unlisted: /^\/(studio\/admin|admin\/backups)$/,
    },
  ],
}

/** The sections of an open keeper that My Keeper doesn't list on other pages. */
const otherKeeperLinks: NavigationLink[] = [
  { to: '/keeper/1/reflection-journal', label: 'Reflection Journal', Icon: BookOpenText },
  { to: '/keeper/1/memory-cards', label: 'Memory Cards', Icon: Bookmark },
  { to: '/keeper/1/echo-writer', label: 'Echo Writer', Icon: History },
  { to: '/keeper/1/memory', label: 'Memory', Icon: Landmark, alsoActive: /\/memory-tools$/ },
  { to: '/keeper/1/sources', label: 'Sources', Icon: MessagesSquare },
  {
    to: '/keeper/selected/engagement-templates?id=1',
    label: 'Templates',
    Icon: NotebookTabs,
    alsoActive: /\/engagement$/,
  },
  { to: '/keeper/selected/metadata?id=1', label: 'Settings', Icon: Settings2 },
]

interface Address {
  pathname: string
  search: string
}

/** As in the address: an id or an alias, encoded. */
export function getOpenKeeperId({ pathname, search }: Address): string | undefined {
  const id = /^\/keeper\/([^/]+)\/[^/]+$/.exec(pathname)?.[1]
  return id === 'selected' ? encodeURIComponent(new URLSearchParams(search).get('id') || '1') : id
}

function getKeeperSection(section: NavigationSection, id: string | undefined, title: string | undefined) {
  const links = id ? [...section.links, ...otherKeeperLinks] : section.links
  return {
    ...section,
    title: title ?? section.title,
    links: links.map((link) => ({ ...link, to: link.to.replace(/\b1\b/, () => id ?? '1') })),
  }
}

function listOpenPage(section: NavigationSection, path: string): NavigationSection {
  if (!section.unlisted?.test(path)) return section
  const label = findPageRoute(path)?.title ?? path
  return { ...section, links: [...section.links, { to: path, label, Icon: Bookmark }] }
}

/** The sections of a mode, and the section of the open page if it belongs to another mode. */
export function getSections(
  mode: ViewMode,
  address: Address,
  keeperTitle: string | undefined,
): { visited: NavigationSection | undefined; sections: NavigationSection[] } {
  const keeperId = getOpenKeeperId(address)
  const isVisited = ({ links }: NavigationSection) => links.some((link) => isActiveLink(link, address.pathname))
  const resolveSections = (name: ViewMode) =>
    navigation[name].map((section) =>
      section.id === 'keeper'
        ? getKeeperSection(section, keeperId, keeperTitle)
        : listOpenPage(section, address.pathname),
    )
  const sections = resolveSections(mode)
  if (sections.some(isVisited)) return { visited: undefined, sections }
  const visitedMode = viewModes.find((name) => resolveSections(name).some(isVisited))
  if (visitedMode !== 'Admin') return { visited: visitedMode && resolveSections(visitedMode).find(isVisited), sections }
  const links = resolveSections('Admin').flatMap((section) => section.links)
  return { visited: { id: 'admin', title: 'Admin', links }, sections }
}

export function isActiveLink({ to, alsoActive }: NavigationLink, path: string): boolean {
  return path === to.split('?')[0] || (alsoActive?.test(path) ?? false)
}
