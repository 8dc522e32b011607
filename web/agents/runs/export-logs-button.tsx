import { Download } from 'lucide-react'
import { useState } from 'react'
import { runs } from '#contract/agents/runs.ts'
import { fetchFile } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { type LogAddress, toLogQuery } from './log-address.ts'
import { getReasonText } from './reason-text.ts'

export interface ExportLogsButtonProps {
  address: LogAddress
  onNotice: (notice: { tone: 'success' | 'warning' | 'error'; text: string }) => void
}

export function ExportLogsButton({ address, onNotice }: ExportLogsButtonProps) {
  const [busy, setBusy] = useState(false)

  async function download() {
    setBusy(true)
    try {
      const { blob, name, headers } = await fetchFile(runs.exportLogs, { query: toLogQuery(address) })
      saveFile(blob, name ?? 'keeper-logs.csv')
      onNotice(describeExport(Number(headers.get('keeper-rows')), Number(headers.get('keeper-total'))))
    } catch (reason) {
      onNotice({ tone: 'error', text: `The logs couldn’t be exported: ${getReasonText(reason)}` })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button busy={busy} busyLabel="Exporting..." onClick={download} icon={<Download aria-hidden size={14} />}>
      Export CSV
    </Button>
  )
}

function describeExport(rows: number, total: number) {
  const count = (value: number) => value.toLocaleString('en-US')
  return rows < total
    ? {
        tone: 'warning' as const,
        text: `The file contains the newest ${count(rows)} of ${count(total)} runs. Add filters to export the others.`,
      }
    : { tone: 'success' as const, text: `The file contains ${count(rows)} ${rows === 1 ? 'run' : 'runs'}.` }
}
