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

const sections = [
  { page: 'moments', label: 'Moments', Icon: Feather, count: 'moments' },
  { page: 'journeys', label: 'Journeys', Icon: Route, count: 'journeys' },
  { page: 'reflection-journal', label: 'Reflection Journal', Icon: BookOpenText, count: 'reflections' },
  { page: 'memory-cards', label: 'Memory Cards', Icon: Bookmark, count: 'cards' },
  { page: 'voice-panel', label: 'Voice Panel', Icon: Mic, count: 'voice' },
  { page: 'echo-writer', label: 'Echo Writer', Icon: History, count: 'echoesReady' },
  { page: 'identity-logbook', label: 'Identity Logbook', Icon: NotebookPen, count: 'logbook' },
  { page: 'sources', label: 'Sources', Icon: MessagesSquare, count: 'sources' },
  { page: 'memory', label: 'Memory', Icon: Landmark },
  { getPath: getTemplatesPath, label: 'Templates', Icon: NotebookTabs },
  { getPath: getMetadataPath, label: 'Settings', Icon: Settings2 },
] as const

export function KeeperSectionNav({ keeper, counts }: { keeper: Keeper; counts: Dashboard['counts'] | undefined }) {
  return (
    <nav
      aria-label="Pages of this keeper"
      data-chrome
      className="-mx-2 mb-5 flex flex-wrap gap-x-1 phone:-mx-4 phone:flex-nowrap phone:overflow-x-auto phone:px-2"
    >
      {sections.map((section) => {
        const { label, Icon } = section
        const count = 'count' in section ? counts?.[section.count] : undefined
        const isReadyCount = label === 'Echo Writer'
        return (
          <Link
            key={label}
            to={
              'page' in section
                ? `/keeper/${encodeURIComponent(keeper.id)}/${section.page}`
                : section.getPath(keeper.id)
            }
            className="flex min-h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-ui text-muted-foreground hover:bg-muted hover:text-foreground"
          >
            <Icon aria-hidden size={15} />
            {label}
            {count !== undefined && count > 0 && (
              <span
                className={
                  isReadyCount
                    ? 'rounded-full bg-ribbon-soft px-1.5 text-small font-semibold text-ribbon-text tabular-nums'
                    : 'text-small tabular-nums'
                }
              >
                {isReadyCount ? `${count} ready` : count}
              </span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}
