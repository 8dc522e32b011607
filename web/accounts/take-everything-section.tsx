import { Download } from 'lucide-react'
import { useState } from 'react'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { fetchFile } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Section } from '#web/ui/section.tsx'
import { failureText } from './failure-text.ts'

export function TakeEverythingSection() {
  const [busy, setBusy] = useState(false)
  const [told, setTold] = useState('')
  const [failure, setFailure] = useState<string>()

  async function download() {
    setBusy(true)
    setFailure(undefined)
    setTold('Packing everything. With many pictures this takes a while.')
    try {
      const { blob, name = 'keeper-account.zip' } = await fetchFile(ownAccount.download)
      saveFile(blob, name)
      setTold(`${name} is in your downloads.`)
    } catch (reason) {
      setTold('')
      setFailure(failureText(reason))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title="Take everything with you" help="One zip, made for you now.">
      <p className="text-muted-foreground">
        Your account, agents, chats and every keeper with its pictures and recordings, as Markdown to read and as files
        to bring in again. Passwords and keys are not in it.
      </p>
      {failure && <Banner tone="error">{failure}</Banner>}
      <div>
        <Button busy={busy} busyLabel="Packing..." icon={<Download aria-hidden size={15} />} onClick={download}>
          Download everything
        </Button>
      </div>
      <p role="status" className="text-ui text-muted-foreground empty:hidden">
        {told}
      </p>
    </Section>
  )
}
