import { Mail } from 'lucide-react'
import { useState } from 'react'
import { type Echo, echoes } from '#contract/keepers/echoes.ts'
import { ApiError, call } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { WriteError } from '../entries/entry-parts.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'

interface DeliverButtonProps {
  echo: Echo
  open: EntryList<Echo>
  /** Receives the echo with its text, which a sealed echo reveals only now. */
  onDelivered?: (echo: Echo) => void
}

export function DeliverButton({ echo, open, onDelivered }: DeliverButtonProps) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<{ serverMessage: string | undefined }>()

  async function deliver() {
    setBusy(true)
    setFailed(undefined)
    try {
      const at = new Date().toISOString()
      const delivered: Echo = open.demo
        ? { ...echo, state: 'delivered', delivered: true, deliveredAt: at }
        : await call(echoes.deliver, { params: { id: echo.id } })
      onDelivered?.(delivered)
      await open.put(delivered)
    } catch (reason) {
      setFailed({ serverMessage: reason instanceof ApiError ? reason.serverMessage : undefined })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {failed && <WriteError title="Failed to deliver echo" serverMessage={failed.serverMessage} onRetry={deliver} />}
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
