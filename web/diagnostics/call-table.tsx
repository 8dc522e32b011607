import type { JournalEntry } from '#web/api-journal.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Table } from '#web/ui/table.tsx'

export function CallTable({ calls }: { calls: readonly JournalEntry[] }) {
  if (calls.length === 0) return <p className="text-ui text-muted-foreground">None yet.</p>
  return (
    <Table
      label="Last API calls"
      rows={calls}
      rowKey={(call) => `${call.at}${call.path}${call.milliseconds}`}
      columns={[
        {
          id: 'call',
          header: 'Call',
          rowHeader: true,
          cell: (call) => (
            <span className="font-mono text-code whitespace-nowrap">
              {call.method} {call.path}
            </span>
          ),
        },
        {
          id: 'status',
          header: 'Status',
          numeric: true,
          cell: (call) => (
            <span className={classNames(!(call.status && call.status < 400) && 'font-semibold text-destructive')}>
              {call.status ?? 'none'}
            </span>
          ),
        },
        {
          id: 'ms',
          header: 'Time',
          numeric: true,
          cell: (call) => <span className="whitespace-nowrap">{call.milliseconds} ms</span>,
        },
      ]}
    />
  )
}
