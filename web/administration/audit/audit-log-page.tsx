import { X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type AuditAction, type AuditEvent, audit, auditActions } from '#contract/administration/audit.ts'
import { DownloadButton } from '#web/files/download-button.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { DayRangeMenu, inlineFieldClasses } from '#web/ui/fields/day-range-menu.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ListFoot } from '#web/ui/panels/list-foot.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { type AuditFilter, toAdminFailureText, useAuditPages, useUser, useUserPages } from '../admin-queries.ts'
import { CardSkeleton, PermissionGate } from '../permission-gate.tsx'
import { PersonName } from '../person-name.tsx'
import {
  auditActionLabels,
  formatAuditDomain,
  formatAuditPerson,
  formatAuditSubject,
  shortenId,
} from './audit-labels.ts'

const columns: Column<AuditEvent>[] = [
  {
    id: 'at',
    header: 'When',
    className: 'whitespace-nowrap text-muted-foreground align-top',
    wideOnly: true,
    cell: ({ at }) => <Time value={at} timeStyle="date-time" />,
  },
  {
    id: 'action',
    header: 'What',
    rowHeader: true,
    className: 'align-top',
    cell: (event) => (
      <>
        <span className="font-medium">{auditActionLabels[event.action]}</span>
        <span className="block text-small text-muted-foreground wrap-anywhere">{formatAuditSubject(event)}</span>
        <Time value={event.at} timeStyle="date-time" className="block text-small text-muted-foreground desk:hidden" />
      </>
    ),
  },
  {
    id: 'actor',
    header: 'Who',
    className: 'align-top wrap-anywhere',
    cell: ({ actor, person }) => (
      <>
        {formatAuditPerson(actor)}
        {person && person.id !== actor?.id && (
          <span className="block text-small text-muted-foreground desk:hidden">
            Person affected: {formatAuditPerson(person)}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'person',
    header: 'Person affected',
    wideOnly: true,
    className: 'align-top wrap-anywhere',
    cell: ({ actor, person }) => (person && person.id !== actor?.id ? formatAuditPerson(person) : ''),
  },
  {
    id: 'domain',
    header: 'Domain',
    wideOnly: true,
    className: 'align-top wrap-anywhere',
    cell: ({ domain }) => formatAuditDomain(domain),
  },
]

/** Reads the filter from the URL and drops invalid values. */
function parseFilter(params: URLSearchParams): AuditFilter {
  const action = auditActions.find((auditAction) => auditAction === params.get('action'))
  const parseDay = (name: string) => /^\d{4}-\d\d-\d\d$/.exec(params.get(name) ?? '')?.[0]
  const [userId, from, to] = [params.get('userId') || undefined, parseDay('from'), parseDay('to')]
  return { ...(userId && { userId }), ...(action && { action }), ...(from && { from }), ...(to && { to }) }
}

const failure = {
  title: (reason: Error) => toAdminFailureText(reason, 'Failed to load the audit log'),
  children: 'The entries themselves are safe.',
}

export function AuditLogPage() {
  return (
    <>
      <PageHeader
        title="Audit Log"
        subtitle="Who did what, and to whom. Entries can’t be edited or deleted."
        actions={<LinkButton to="/admin/users">Platform User Management</LinkButton>}
      />
      <PermissionGate permission="manage_users" refusal="Your account can’t read the audit log" failure={failure}>
        <AuditLog />
      </PermissionGate>
    </>
  )
}

function AuditLog() {
  const [params, setParams] = useSearchParams()
  const filter = parseFilter(params)
  const pages = useAuditPages(filter)
  const { showNotice, clearNotice, noticeBanner } = useNotice('mb-3.5')
  const events = pages.data?.pages.flatMap(({ items }) => items)
  const isFiltered = Object.keys(filter).length > 0
  const updateFilter = (changes: { [name in keyof AuditFilter]?: string | undefined }) =>
    setParams(
      Object.fromEntries(
        Object.entries({ ...filter, ...changes }).filter((entry): entry is [string, string] => Boolean(entry[1])),
      ),
      { replace: true },
    )

  return (
    <>
      {noticeBanner}
      <div className="mb-4 flex flex-wrap items-start gap-3 phone:grid phone:grid-cols-2 phone:gap-2">
        <PersonFilter
          value={filter.userId}
          onValueChange={(userId) => updateFilter({ userId })}
          className="w-60 phone:col-span-2 phone:w-auto"
        />
        <SelectField
          label="Action"
          labelHidden
          className="w-55 phone:w-auto"
          value={filter.action ?? ''}
          onChange={({ currentTarget }) => updateFilter({ action: currentTarget.value as AuditAction | '' })}
          options={[
            { value: '', label: 'Every action' },
            ...auditActions.map((action) => ({ value: action, label: auditActionLabels[action] })),
          ]}
        />
        <DayRangeMenu
          isUtc
          labelHidden
          from={filter.from ?? ''}
          to={filter.to ?? ''}
          onChange={updateFilter}
          className="w-32.5 phone:w-auto"
          fieldClassName={inlineFieldClasses}
        />
        <span className="flex flex-1 flex-wrap justify-end gap-2 phone:col-span-2">
          {isFiltered && (
            <Button variant="plain" onClick={() => setParams({}, { replace: true })}>
              Clear filters
            </Button>
          )}
          <DownloadButton
            endpoint={audit.export}
            input={{ query: filter }}
            fallbackName="keeper-audit.csv"
            onStart={clearNotice}
            onFailed={(reason) => showNotice('error', toAdminFailureText(reason, 'Failed to export the audit log'))}
          >
            Export CSV
          </DownloadButton>
        </span>
      </div>
      <QueryState query={pages} skeleton={<CardSkeleton />} {...failure} />
      {events?.length === 0 && (
        <EmptyPanel drawing="path" title={isFiltered ? 'No entries match these filters.' : 'No entries yet.'}>
          The log records sign-ins, roles, accounts, domains, links to boards, platform keys, budgets, prices, context
          texts, tool servers and Keeper’s own agents.
        </EmptyPanel>
      )}
      {events && events.length > 0 && (
        <Card padded={false} className="overflow-clip">
          <Table label="Audit log" columns={columns} rows={events} rowKey={({ id }) => id} />
          <ListFoot list={pages}>
            {pages.hasNextPage && 'Newest '}
            {pluralize(events.length, 'entry', 'entries')}
          </ListFoot>
        </Card>
      )}
    </>
  )
}

interface PersonFilterProps {
  value: string | undefined
  onValueChange: (userId: string | undefined) => void
  className?: string
}

const maxSuggestions = 6

function PersonFilter({ value, onValueChange, className }: PersonFilterProps) {
  return (
    <div className={className}>
      {value ? (
        <ChosenPerson id={value} onClear={() => onValueChange(undefined)} />
      ) : (
        <PersonSearch onChoose={onValueChange} />
      )}
    </div>
  )
}

function ChosenPerson({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useUser(id)
  const name = data ? getPersonName(data) : `Someone (${shortenId(id)})`
  return (
    <Button onClick={onClear} icon={<X aria-hidden size={14} />} className="max-w-full">
      <span className="sr-only">Show everyone, not only </span>
      <span dir="auto" className="truncate">
        {name}
      </span>
    </Button>
  )
}

function PersonSearch({ onChoose }: { onChoose: (userId: string) => void }) {
  const [query, setQuery] = useState('')
  const search = useDeferredValue(query.trim())
  const { data } = useUserPages(search, search !== '')
  const matches = search === '' ? [] : (data?.pages[0]?.users.slice(0, maxSuggestions) ?? [])
  return (
    <>
      <SearchField label="Find a person..." value={query} onValueChange={setQuery} />
      <p role="status" className="sr-only">
        {search !== '' && describeMatches(matches.length)}
      </p>
      {search !== '' && data && (
        <ul className="mt-1.5 overflow-hidden rounded-md border border-border bg-card shadow-e1">
          {matches.length === 0 && <li className="px-3 py-2 text-ui text-muted-foreground">No people match.</li>}
          {matches.map((user) => (
            <li key={user.id}>
              <button
                type="button"
                onClick={() => onChoose(user.id)}
                className="block w-full px-3 py-1.5 text-start text-ui hover:bg-fill-hover focus-visible:-outline-offset-2"
              >
                <PersonName person={user} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function describeMatches(count: number): string {
  if (count === 0) return 'No people match.'
  return count === 1 ? '1 person matches.' : `${count} people match.`
}
