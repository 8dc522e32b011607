import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { domainRoles } from '#contract/domains/domain-actions.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { openRow, SortButton, type TableSort } from '#web/ui/panels/table.tsx'
import { roleNames, roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { formatCalendarDay } from '#web/ui/text/format-time.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { Time } from '#web/ui/text/time.tsx'
import { getPersonSubtitle, PersonAvatar, PersonLink, RoleSelect } from '../person-avatar.tsx'

type PeopleColumn = 'name' | 'role' | 'domain' | 'journeys' | 'since' | 'active'

const personSortKeys: Record<PeopleColumn, (person: DomainPerson) => string | number> = {
  name: (person) => getPersonName(person).toLowerCase(),
  role: ({ relation }) => domainRoles.indexOf(relation),
  domain: ({ domainName }) => domainName.toLowerCase(),
  journeys: ({ journeyIds }) => journeyIds.length,
  since: ({ since }) => since,
  active: ({ lastActiveAt }) => lastActiveAt ?? '',
}

/** Ties are sorted by name, ascending in both directions. */
export function sortPeople(
  people: readonly DomainPerson[],
  { column, direction }: TableSort<PeopleColumn>,
): DomainPerson[] {
  const sign = direction === 'ascending' ? 1 : -1
  return [...people].sort(
    (a, b) =>
      sign * compareValues(personSortKeys[column](a), personSortKeys[column](b)) ||
      compareValues(personSortKeys.name(a), personSortKeys.name(b)),
  )
}

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'string' && typeof b === 'string'
    ? a.localeCompare(b, 'en', { numeric: true })
    : Number(a) - Number(b)
}

interface PeopleOverviewProps {
  people: readonly DomainPerson[]
  chosenId?: string | null
  onOpen?: (person: DomainPerson) => void
  /** Names and roles only, in a frame of a board. */
  compact?: boolean
  isSample?: boolean
}

interface PeopleTableColumn {
  id: PeopleColumn
  label: string
  cell: (person: DomainPerson) => ReactNode
  wideOnly?: boolean
}

const columns: PeopleTableColumn[] = [
  {
    id: 'role',
    label: 'Role',
    cell: ({ relation, status }) => (
      <span className="flex flex-wrap items-center gap-1.5">
        {roleNames[relation]}
        {status === 'pending' && <Badge tone="warning">Pending</Badge>}
      </span>
    ),
  },
  { id: 'domain', label: 'Domain', cell: ({ domainName }) => domainName, wideOnly: true },
  { id: 'journeys', label: 'Journeys', cell: ({ journeyIds }) => journeyIds.length, wideOnly: true },
  { id: 'since', label: 'Since', cell: ({ since }) => <Time value={since} />, wideOnly: true },
  {
    id: 'active',
    label: 'Last active',
    cell: ({ lastActiveAt }) => lastActiveAt && formatCalendarDay(lastActiveAt),
    wideOnly: true,
  },
]

export function PeopleOverview(props: PeopleOverviewProps) {
  const { people, chosenId, onOpen, compact = false, isSample = false } = props
  const [sort, setSort] = useState<TableSort<PeopleColumn>>({ column: 'name', direction: 'ascending' })
  const sortedPeople = useMemo(() => sortPeople(people, sort), [people, sort])
  const bodyRef = useRef<HTMLTableSectionElement>(null)
  const virtualRows = useVirtualRows(bodyRef, compact ? 0 : sortedPeople.length, rowHeightPx)
  const limitedList = useLimitedList(sortedPeople, { initialVisible: 50, size: 'small', className: 'mt-2' })
  const rows = compact ? [...limitedList.visible.keys()] : virtualRows.indexes
  const visibleColumns = compact ? columns.filter(({ wideOnly }) => !wideOnly) : columns
  const renderHeading = (id: PeopleColumn, label: string, wideOnly = false) => (
    <th
      key={id}
      scope="col"
      aria-sort={sort.column === id ? sort.direction : undefined}
      className={classNames(
        !compact && 'sticky top-(--header-height) z-10 bg-background',
        'border-b border-border px-3 py-1.5 text-start text-small font-label whitespace-nowrap text-muted-foreground phone:px-1.5',
        wideOnly && 'phone:hidden',
        id === 'name' && (compact ? 'w-[64%]' : 'w-[32%] phone:w-[64%]'),
      )}
    >
      <SortButton column={id} sort={sort} onSortChange={setSort}>
        {label}
      </SortButton>
    </th>
  )
  return (
    <>
      <table
        aria-label="People"
        aria-rowcount={sortedPeople.length + 1}
        className="w-full table-fixed border-separate border-spacing-0 text-ui"
      >
        <thead>
          <tr aria-rowindex={1}>
            {renderHeading('name', 'Name')}
            {visibleColumns.map(({ id, label, wideOnly }) => renderHeading(id, label, wideOnly))}
          </tr>
        </thead>
        <tbody ref={bodyRef}>
          <SpacerRow pixels={virtualRows.paddingBefore} />
          {rows.map((index) => {
            const person = sortedPeople[index]
            if (!person) return null
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the person's own link is there for the keyboard
              <tr
                key={person.id}
                ref={virtualRows.measure}
                data-index={index}
                aria-rowindex={index + 2}
                data-chosen={person.id === chosenId || undefined}
                onClick={isSample ? undefined : openRow}
                className={classNames(
                  'transition-colors duration-120 *:border-b *:border-hairline hover:bg-fill-hover data-chosen:bg-ribbon-soft/50',
                  !isSample && 'cursor-pointer',
                )}
              >
                <th scope="row" className="px-3 py-2 text-start font-normal phone:px-1.5">
                  <div className="flex min-w-0 items-center gap-2.5">
                    <PersonAvatar person={person} />
                    <div className="min-w-0">
                      <PersonLink person={person} onOpen={onOpen} isPlain={isSample} />
                      {person.name && (
                        <p className="truncate text-small text-muted-foreground">{getPersonSubtitle(person)}</p>
                      )}
                    </div>
                  </div>
                </th>
                {visibleColumns.map(({ id, cell, wideOnly }) => (
                  <td
                    key={id}
                    className={classNames('truncate px-3 py-2 tabular-nums phone:px-1.5', wideOnly && 'phone:hidden')}
                  >
                    {cell(person)}
                  </td>
                ))}
              </tr>
            )
          })}
          <SpacerRow pixels={virtualRows.paddingAfter} />
        </tbody>
      </table>
      {compact && limitedList.showMoreButton}
    </>
  )
}

function SpacerRow({ pixels }: { pixels: number }) {
  if (pixels <= 0) return null
  return (
    <tr>
      <td colSpan={columns.length + 1} style={{ height: pixels }} />
    </tr>
  )
}

interface VirtualRows {
  indexes: readonly number[]
  /** Pixels to reserve for the rows that aren't rendered. */
  paddingBefore: number
  paddingAfter: number
  measure: ((row: Element | null) => void) | undefined
}

const maxUnvirtualized = 200
/** An estimate; rendered rows are measured. */
const rowHeightPx = 57

/** Virtualizes lists of more than 200 rows. */
function useVirtualRows(box: RefObject<HTMLElement | null>, count: number, estimatedHeight: number): VirtualRows {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (box.current) setOffset(box.current.getBoundingClientRect().top + scrollY)
  }, [box])
  const rendersAll = count <= maxUnvirtualized
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: !rendersAll,
    estimateSize: () => estimatedHeight,
    overscan: 12,
    scrollMargin: offset,
  })
  if (rendersAll)
    return {
      indexes: Array.from({ length: count }, (_, index) => index),
      paddingBefore: 0,
      paddingAfter: 0,
      measure: undefined,
    }
  const items = virtualizer.getVirtualItems()
  return {
    indexes: items.map(({ index }) => index),
    paddingBefore: (items[0]?.start ?? offset) - offset,
    paddingAfter: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset),
    measure: virtualizer.measureElement,
  }
}

const minSearchableCount = 9

interface RoleManagerProps {
  people: readonly DomainPerson[]
  onOpen?: (person: DomainPerson) => void
  onRoleChange: (person: DomainPerson, role: MemberRole) => void
  /** Without the explanation of the roles, in a frame of a board. */
  compact?: boolean
  isSample?: boolean
}

export function RoleManager(props: RoleManagerProps) {
  const { people, onOpen, onRoleChange, compact = false, isSample = false } = props
  const [search, setSearch] = useState('')
  const isMatch = createTextFilter(search)
  const members = people.filter(({ userId }) => userId !== null)
  const matches = members.filter(({ name, email }) => isMatch(name, email))
  const list = useRef<HTMLUListElement>(null)
  const rows = useVirtualRows(list, compact ? 0 : matches.length, rowHeightPx)
  const limitedList = useLimitedList(matches, { initialVisible: 100, size: 'small', className: 'mt-2' })
  return (
    <div className={compact ? undefined : 'grid grid-cols-[minmax(0,1fr)_220px] gap-8 phone:grid-cols-1'}>
      <div className="min-w-0">
        {(!compact || members.length >= minSearchableCount) && (
          <SearchField label="Search people" value={search} onValueChange={setSearch} className="mb-3 max-w-80" />
        )}
        {matches.length === 0 && (
          <EmptyPanel title="No people match">Search covers names and email addresses of members.</EmptyPanel>
        )}
        <ul
          ref={list}
          aria-label="Member roles"
          style={{ paddingTop: rows.paddingBefore, paddingBottom: rows.paddingAfter }}
        >
          {(compact ? [...limitedList.visible.keys()] : rows.indexes).map((index) => {
            const person = matches[index]
            if (!person) return null
            return (
              <li
                key={person.id}
                ref={rows.measure}
                data-index={index}
                aria-setsize={matches.length}
                aria-posinset={index + 1}
                className="flex items-center gap-3 border-b border-hairline py-2"
              >
                <PersonAvatar person={person} />
                <div className="min-w-0 flex-1">
                  <PersonLink person={person} onOpen={onOpen} isPlain={isSample} />
                  <p className="truncate text-small text-muted-foreground">{person.domainName}</p>
                </div>
                <RoleSelect person={person} onRoleChange={onRoleChange} className="w-36 shrink-0" />
              </li>
            )
          })}
        </ul>
        {compact && limitedList.showMoreButton}
      </div>
      {!compact && (
        <aside aria-label="What each role can do" className="text-small">
          <h2 className="mb-2 text-h3">Roles</h2>
          <dl className="flex flex-col gap-2.5">
            {domainRoles.map((role) => (
              <div key={role}>
                <dt className="text-ui font-label">{roleNames[role]}</dt>
                <dd className="text-muted-foreground">{roleSentences[role]}</dd>
              </div>
            ))}
          </dl>
        </aside>
      )}
    </div>
  )
}
