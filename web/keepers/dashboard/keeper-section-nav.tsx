import {
  Bookmark,
  BookOpenText,
  Feather,
  History,
  Landmark,
  MessagesSquare,
  Mic,
  NotebookPen,
  NotebookTabs,
  Route,
  Settings2,
} from 'lucide-react'
import { Link } from 'react-router'
import type { Dashboard } from '#contract/keepers/dashboard.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getMetadataPath, getTemplatesPath } from '../keeper-addresses.ts'

export function KeeperSectionNav({ keeper, counts }: { keeper: Keeper; counts: Dashboard['counts'] | undefined }) {
  const getSectionPath = (page: string) => `/keeper/${encodeURIComponent(keeper.id)}/${page}`
  const sections = [
    { to: getSectionPath('moments'), label: 'Moments', Icon: Feather, count: counts?.moments },
    { to: getSectionPath('journeys'), label: 'Journeys', Icon: Route, count: counts?.journeys },
    {
      to: getSectionPath('reflection-journal'),
      label: 'Reflection Journal',
      Icon: BookOpenText,
      count: counts?.reflections,
    },
    { to: getSectionPath('memory-cards'), label: 'Memory Cards', Icon: Bookmark, count: counts?.cards },
    { to: getSectionPath('voice-panel'), label: 'Voice Panel', Icon: Mic, count: counts?.voice },
    {
      to: getSectionPath('echo-writer'),
      label: 'Echo Writer',
      Icon: History,
      count: counts?.echoesReady,
      hasReady: true,
    },
    { to: getSectionPath('identity-logbook'), label: 'Identity Logbook', Icon: NotebookPen, count: counts?.logbook },
    { to: getSectionPath('sources'), label: 'Sources', Icon: MessagesSquare, count: counts?.sources },
    { to: getSectionPath('memory'), label: 'Memory', Icon: Landmark, count: undefined },
    { to: getTemplatesPath(keeper.id), label: 'Templates', Icon: NotebookTabs, count: undefined },
    { to: getMetadataPath(keeper.id), label: 'Settings', Icon: Settings2, count: undefined },
  ]
  return (
    <nav
      aria-label="Pages of this keeper"
      data-chrome
      className="-mx-2 mb-5 flex flex-wrap gap-x-1 phone:-mx-4 phone:flex-nowrap phone:overflow-x-auto phone:px-2"
    >
      {sections.map(({ to, label, Icon, count, hasReady }) => (
        <Link
          key={label}
          to={to}
          className="flex min-h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-ui text-muted-foreground hover:bg-muted hover:text-foreground"
        >
          <Icon aria-hidden size={15} />
          {label}
          {count !== undefined && count > 0 && (
            <span
              className={
                hasReady
                  ? 'rounded-full bg-ribbon-soft px-1.5 text-small font-semibold text-ribbon-text tabular-nums'
                  : 'text-small tabular-nums'
              }
            >
              {hasReady ? `${count} ready` : count}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
