import type { JournalEntry } from '#web/api/api-journal.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Table } from '#web/ui/panels/table.tsx'

const hasFailed = ({ status }: JournalEntry) => !(status && status < 400)

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
              {hasFailed(call) && call.requestId && (
                <span className="block text-muted-foreground">Request {call.requestId}</span>
              )}
            </span>
          ),
        },
        {
          id: 'status',
          header: 'Status',
          numeric: true,
          cell: (call) => (
            <span className={classNames(hasFailed(call) && 'font-semibold text-destructive')}>
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
