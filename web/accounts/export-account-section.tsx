import { Download, Square } from 'lucide-react'
import { useState } from 'react'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { useDownload } from '#web/files/use-download.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { toAccountFailureText } from './failure-text.ts'

export function ExportAccountSection() {
  const [busy, setBusy] = useState(false)
  const [status, setStatus] = useState('')
  const [failure, setFailure] = useState<string>()
  const { startDownload, stop, progressText } = useDownload()

  async function download() {
    setBusy(true)
    setFailure(undefined)
    setStatus('Preparing your download. With many pictures, this can take a while.')
    try {
      const name = await startDownload(ownAccount.download, {}, 'keeper-account.zip')
      setStatus(name ? `${name} is in your downloads.` : 'Stopped. Nothing was saved.')
    } catch (reason) {
      setStatus('')
      setFailure(toAccountFailureText(reason))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title="Export everything" help="One zip file, created when you ask for it.">
      <p className="text-muted-foreground">
        The zip contains your account, agents, chats and every keeper with its pictures and recordings, as readable
        Markdown and as files you can import again. Deleted entries, earlier versions, passwords and keys aren’t
        included.
      </p>
      {failure && <Banner tone="error">{failure}</Banner>}
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={busy} busyLabel="Preparing..." icon={<Download aria-hidden size={15} />} onClick={download}>
          Download everything
        </Button>
        {busy && (
          <>
            <Button variant="plain" icon={<Square aria-hidden size={13} />} onClick={stop}>
              Stop
            </Button>
            <span className="text-small text-muted-foreground tabular-nums">{progressText}</span>
          </>
        )}
      </div>
      <p role="status" className="text-ui text-muted-foreground empty:hidden">
        {status}
      </p>
    </Section>
  )
}
