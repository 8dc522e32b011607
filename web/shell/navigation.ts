import {
  BookMarked,
  Feather,
  Files,
  Globe,
  House,
  KeyRound,
  LayoutPanelLeft,
  LibraryBig,
  type LucideIcon,
  Mic,
  NotebookPen,
  NotebookTabs,
  Route,
  ScrollText,
  Search,
  Shapes,
  ShieldCheck,
  Stamp,
  Sunrise,
  SwatchBook,
  Tags,
  Users,
  Waypoints,
} from 'lucide-react'
import type { ViewMode } from '../page/view-mode.ts'

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
          alsoActive: /^\/studio\/(kip\/agents|agent-board|agents\/.*)$/,
        },
        { to: '/studio/memory-patterns', label: 'Memory Patterns', Icon: Waypoints },
        { to: '/studio/agent-classes', label: 'Agent Classes', Icon: Shapes },
      ],
    },
    {
      id: 'boards',
      title: 'Boards',
      links: [{ to: '/studio/board-studio', label: 'Board Studio', Icon: LayoutPanelLeft, badge: 'Beta' }],
    },
    {
      id: 'keepers',
      title: 'Keepers',
      links: [
        { to: '/keeper/manage', label: 'Manage Keepers', Icon: BookMarked, alsoActive: /^\/keeper(\/new)?$/ },
        { to: '/keeper/types', label: 'Keeper Types', Icon: LibraryBig },
        { to: '/keeper/engagement-templates', label: 'Engagement Templates', Icon: NotebookTabs },
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
    },
    {
      id: 'keeper',
      title: 'Your keeper',
      links: [
        {
          to: '/keeper/1/dashboard',
          label: 'Dashboard',
          Icon: Sunrise,
          alsoActive: /^\/keeper\/[^/]+\/(reflection-journal|memory-cards|memory|echo-writer|sources)$/,
        },
        { to: '/keeper/1/journeys', label: 'Journeys', Icon: Route },
        { to: '/keeper/1/moments', label: 'Moments', Icon: Feather },
        { to: '/keeper/1/topics', label: 'Topics', Icon: Tags },
        { to: '/keeper/1/voice', label: 'Voice Panel', Icon: Mic, alsoActive: /^\/keeper\/[^/]+\/voice-panel$/ },
        {
          to: '/keeper/1/logbook',
          label: 'Logbook',
          Icon: NotebookPen,
          alsoActive: /^\/keeper\/[^/]+\/identity-logbook$/,
        },
      ],
    },
  ],
  Admin: [
    {
      id: 'people',
      title: 'People',
      links: [
        { to: '/root/profile', label: 'User Management', Icon: Users },
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
    },
  ],
}

export function getKeeperSection(
  section: NavigationSection,
  path: string,
  keepers: readonly { id: string; title: string }[] | undefined,
): NavigationSection {
  const id = path.match(/^\/keeper\/([^/]+)\/[^/]+$/)?.[1]
  const openKeeper = id && id !== 'selected' ? keepers?.find((keeper) => keeper.id === id) : undefined
  if (!openKeeper) return { ...section, title: keepers?.[0]?.title ?? section.title }
  const links = section.links.map((link) => ({ ...link, to: link.to.replace('/1/', `/${openKeeper.id}/`) }))
  return { ...section, title: openKeeper.title, links }
}

export function isActiveLink(link: NavigationLink, path: string): boolean {
  return path === link.to || (link.alsoActive?.test(path) ?? false)
}
