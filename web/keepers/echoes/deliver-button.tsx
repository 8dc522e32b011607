import { Mail } from 'lucide-react'
import { useState } from 'react'
import { type Echo, echoes } from '#contract/keepers/echoes.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { WriteError } from '#web/ui/panels/write-error.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'

interface DeliverButtonProps {
  echo: Echo
  entryList: EntryList<Echo>
  /** Receives the echo with its text, which a sealed echo reveals only now. */
  onDelivered?: (echo: Echo) => void
}

export function DeliverButton({ echo, entryList, onDelivered }: DeliverButtonProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ serverMessage: string | undefined }>()

  async function deliver() {
    setBusy(true)
    setFailure(undefined)
    try {
      const deliveredEcho = await call(echoes.deliver, { params: { id: echo.id } })
      onDelivered?.(deliveredEcho)
      await entryList.put(deliveredEcho)
    } catch (reason) {
      setFailure({ serverMessage: getServerMessage(reason) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {failure && <WriteError title="Failed to deliver echo" serverMessage={failure.serverMessage} onRetry={deliver} />}
      <Button
        size="small"
        variant="keep"
        icon={<Mail aria-hidden size={13} />}
        busy={busy}
        busyLabel="Delivering..."
        onClick={deliver}
      >
        {echo.sealed ? 'Break the seal' : 'Deliver'}
      </Button>
    </>
  )
}
