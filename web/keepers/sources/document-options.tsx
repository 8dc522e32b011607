import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { keeperMedia } from '#contract/keepers/media.ts'
import { type Source, sources } from '#contract/keepers/sources.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { useDownload } from '#web/files/use-download.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { keeperKey } from '../keeper-queries.ts'
import { ReadBy } from '../reads/read-by.tsx'

const unreachable = 'The server couldn’t be reached. Try again.'

export function DocumentOptions({ source }: { source: Source }) {
  const { id, keeperId, rev, file, agentsMayQuote, messages } = source
  const queryClient = useQueryClient()
  const { startDownload, progressText } = useDownload()
  const [wanted, setWanted] = useState<boolean>()
  const [downloading, setDownloading] = useState(false)
  const [isReadByOpen, setReadByOpen] = useState(false)
  const [problem, setProblem] = useState('')

  async function allow(next: boolean) {
    if (wanted !== undefined) return
    setProblem('')
    setWanted(next)
    try {
      await call(sources.update, { params: { id }, body: { agentsMayQuote: next }, ifMatch: rev })
    } catch (reason) {
      setProblem(
        getConflict(reason)
          ? 'The document was changed elsewhere, so nothing was changed here. Reload and try again.'
          : (getServerMessage(reason) ?? unreachable),
      )
    }
    await queryClient.invalidateQueries({ queryKey: keeperKey(keeperId, 'source') })
    setWanted(undefined)
  }

  async function download(original: NonNullable<Source['file']>) {
    setProblem('')
    setDownloading(true)
    try {
      await startDownload(keeperMedia.bytes, { params: { id: original.id }, query: {} }, original.name ?? 'document')
    } catch (reason) {
      setProblem(getServerMessage(reason) ?? unreachable)
    }
    setDownloading(false)
  }

  return (
    <section aria-label="This document" data-chrome className="mb-6 flex flex-wrap items-center gap-x-5 gap-y-3">
      <Switch
        label="Agents of this keeper can quote it"
        help={messages.length === 0 ? 'Its text can’t be read, so there is nothing to quote.' : undefined}
        checked={wanted ?? agentsMayQuote}
        disabled={messages.length === 0}
        onCheckedChange={(next) => void allow(next)}
      />
      <span className="flex flex-wrap gap-2">
        {file && (
          <Button
            size="small"
            icon={<Download aria-hidden size={14} />}
            busy={downloading}
            busyLabel={progressText ?? 'Downloading...'}
            onClick={() => void download(file)}
          >
            Download ({formatSize(file.bytes)})
          </Button>
        )}
        <Button size="small" variant="plain" onClick={() => setReadByOpen(true)}>
          Read by
        </Button>
      </span>
      {problem && (
        <p role="alert" className="basis-full text-ui font-medium text-destructive">
          {problem}
        </p>
      )}
      <ReadBy entity="source" id={id} open={isReadByOpen} onClose={() => setReadByOpen(false)} />
    </section>
  )
}
