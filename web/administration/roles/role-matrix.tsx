import { type KeyboardEvent, memo, useId, useRef, useState } from 'react'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { UserWithRoles } from '#contract/administration/administration.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { stickyHeadClasses } from '#web/ui/panels/table.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { PersonName } from '../person-name.tsx'
import type { RoleChange } from './role-change.tsx'

interface RoleMatrixProps {
  roles: readonly PlatformRole[]
  people: readonly UserWithRoles[]
  /** Everyone, regardless of the search, for the counts in the header. */
  allUsers: readonly UserWithRoles[]
  isSaving: (person: { id: string }, role: PlatformRole) => boolean
  onChange: (change: RoleChange) => void
}

interface Cell {
  row: number
  column: number
}

/** Rows that Page Up and Page Down move by. */
const rowsPerPageKey = 10
const highlightClass = 'bg-[color-mix(in_srgb,var(--k-muted)_65%,var(--k-card))]'
/** In a narrow box the name of each row is on a separate line, so that all roles fit. */
const rowClasses = '@max-3xl:grid @max-3xl:grid-cols-7'
const firstColumnClasses =
  'w-[300px] max-w-[300px] ps-4 pe-2 text-start @max-3xl:col-span-7 @max-3xl:w-auto @max-3xl:max-w-none @max-3xl:ps-3'
/** Sets the strongest role apart. */
const getDividerClass = (role: PlatformRole) => role === 'super-admin' && 'border-e border-e-border'

/** Arrow keys move between the boxes, Space toggles. The focused row and column are tinted. */
export function RoleMatrix({ roles, people, allUsers, isSaving, onChange }: RoleMatrixProps) {
  const table = useRef<HTMLTableElement>(null)
  const reasonId = useId()
  const lastSuperAdmin = people.find((person) => isLastSuperAdmin(person, allUsers))
  const [focusedCell, setFocusedCell] = useState<Cell>()
  const [tabStop, setTabStop] = useState<Cell>({ row: 0, column: 0 })
  const visibleTabStop = { row: Math.min(tabStop.row, people.length - 1), column: tabStop.column }

  function handleKeyDown(event: KeyboardEvent) {
    if (!focusedCell || event.altKey || event.metaKey) return
    const lastCell = { row: people.length - 1, column: roles.length - 1 }
    const toGridEdge = event.ctrlKey
    const targetByKey: Record<string, Cell> = {
      ArrowRight: { ...focusedCell, column: Math.min(focusedCell.column + 1, lastCell.column) },
      ArrowLeft: { ...focusedCell, column: Math.max(focusedCell.column - 1, 0) },
      ArrowDown: { ...focusedCell, row: Math.min(focusedCell.row + 1, lastCell.row) },
      ArrowUp: { ...focusedCell, row: Math.max(focusedCell.row - 1, 0) },
      Home: toGridEdge ? { row: 0, column: 0 } : { ...focusedCell, column: 0 },
      End: toGridEdge ? lastCell : { ...focusedCell, column: lastCell.column },
      PageDown: { ...focusedCell, row: Math.min(focusedCell.row + rowsPerPageKey, lastCell.row) },
      PageUp: { ...focusedCell, row: Math.max(focusedCell.row - rowsPerPageKey, 0) },
    }
    const next = targetByKey[event.key]
    if (!next) return
    event.preventDefault()
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)?.focus()
  }

  return (
    <>
      <div className="@container">
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table navigated with arrow keys is a grid
          role="grid"
          aria-label="Platform roles of users"
          className="w-full border-separate border-spacing-0 text-ui @max-3xl:block"
          onKeyDown={handleKeyDown}
          onFocus={({ target }) => {
            const [row, column] = (target.dataset.cell ?? '').split(' ').map(Number)
            if (row === undefined || column === undefined) return
            setFocusedCell({ row, column })
            setTabStop({ row, column })
          }}
          onBlur={() => setFocusedCell(undefined)}
        >
          <thead className={`${stickyHeadClasses} @max-3xl:block`}>
            <tr className={rowClasses}>
              <th
                scope="col"
                className={classNames(
                  firstColumnClasses,
                  'border-b border-border bg-card py-2 text-small font-label @max-3xl:sr-only',
                )}
              >
                User
              </th>
              {roles.map((role, column) => (
                <th
                  key={role}
                  scope="col"
                  className={classNames(
                    'min-w-11 border-b border-border bg-card px-2 py-2 text-center text-small leading-4 font-label whitespace-nowrap @max-3xl:flex @max-3xl:flex-col @max-3xl:items-center @max-3xl:justify-end @max-3xl:px-0',
                    getDividerClass(role),
                    focusedCell?.column === column && highlightClass,
                  )}
                >
                  <span className="block @max-lg:rotate-180 @max-lg:pt-1 @max-lg:[writing-mode:vertical-rl]">
                    {role}
                  </span>
                  <span className="block text-[0.6875rem] font-medium text-muted-foreground tabular-nums">
                    {allUsers.filter((person) => person.roles.includes(role)).length}
                    <span className="sr-only"> people</span>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="@max-3xl:block">
            {people.map((person, row) => (
              <RoleMatrixRow
                key={person.id}
                person={person}
                roles={roles}
                row={row}
                onChange={onChange}
                column={focusedCell?.column}
                isCurrentRow={focusedCell?.row === row}
                tabStopColumn={visibleTabStop.row === row ? visibleTabStop.column : undefined}
                lockReasonId={person === lastSuperAdmin ? reasonId : undefined}
                savingRoles={roles.filter((role) => isSaving(person, role)).join(' ')}
              />
            ))}
          </tbody>
        </table>
      </div>
      {lastSuperAdmin && (
        <p id={reasonId} className="border-t border-border px-4 py-2.5 text-small phone:px-3 text-muted-foreground">
          {getPersonName(lastSuperAdmin)} is the last super-admin. You can remove the role once someone else has it too.
        </p>
      )}
    </>
  )
}

interface RoleMatrixRowProps {
  person: UserWithRoles
  roles: readonly PlatformRole[]
  row: number
  column: number | undefined
  isCurrentRow: boolean
  /** The column of the tab stop, if it is in this row. */
  tabStopColumn: number | undefined
  lockReasonId: string | undefined
  savingRoles: string
  onChange: (change: RoleChange) => void
}

const RoleMatrixRow = memo(function RoleMatrixRow({
  person,
  roles,
  row,
  column,
  isCurrentRow,
  tabStopColumn,
  lockReasonId,
  savingRoles,
  onChange,
}: RoleMatrixRowProps) {
  return (
    <tr className={`group ${rowClasses}`}>
      <th
        scope="row"
        className={classNames(
          firstColumnClasses,
          'border-b border-hairline py-[8.5px] font-normal group-last:border-b-0 @max-3xl:border-b-0 @max-3xl:pb-0',
          isCurrentRow && highlightClass,
        )}
      >
        <PersonName
          person={person}
          initial="@max-3xl:hidden"
          badge={person.deactivated && <Badge tone="warning">Deactivated</Badge>}
        />
      </th>
      {roles.map((role, index) => {
        const isFocused = isCurrentRow && column === index
        const cellLockReasonId = role === 'super-admin' ? lockReasonId : undefined
        return (
          <td
            key={role}
            className={classNames(
              'relative h-9 min-w-11 border-b border-hairline group-last:border-b-0 @max-3xl:h-11 @max-3xl:min-w-0',
              getDividerClass(role),
              isFocused ? 'bg-accent' : (isCurrentRow || column === index) && highlightClass,
            )}
          >
            <Checkbox
              className="absolute inset-0 items-center! justify-center hover:bg-fill-hover"
              data-cell={`${row} ${index}`}
              tabIndex={tabStopColumn === index ? 0 : -1}
              // Not `disabled`: it stays focusable, so that its description is read out.
              aria-disabled={cellLockReasonId !== undefined || undefined}
              aria-describedby={cellLockReasonId}
              aria-busy={savingRoles.split(' ').includes(role) || undefined}
              label={`${role} for ${getPersonName(person)}`}
              labelHidden
              checked={person.roles.includes(role)}
              onCheckedChange={(hasRole) => onChange({ person, role, hasRole })}
            />
          </td>
        )
      })}
    </tr>
  )
})

/** Mirrors the server's rule: deactivated and leaving accounts don't count. */
export function isLastSuperAdmin(person: Pick<UserWithRoles, 'id' | 'roles'>, allUsers: readonly UserWithRoles[]) {
  return (
    person.roles.includes('super-admin') &&
    !allUsers.some(
      (other) => other.id !== person.id && other.roles.includes('super-admin') && !other.deactivated && !other.leaving,
    )
  )
}
