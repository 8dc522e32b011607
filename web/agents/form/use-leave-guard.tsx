import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'

/** Doesn't guard addresses where `isSafeAddress` is true, nor going back, because the draft survives in this tab. */
export function useLeaveGuard(unsaved: boolean, isSafeAddress: (address: URL) => boolean) {
  const navigate = useNavigate()
  const [targetAddress, setTargetAddress] = useState<string>()

  useEffect(() => {
    if (!unsaved) return
    function handleBeforeUnload(event: BeforeUnloadEvent) {
      event.preventDefault()
    }
    function handleClick(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download')) return
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const address = new URL(link.href)
      if (address.origin !== location.origin || isSafeAddress(address)) return
      event.preventDefault()
      event.stopPropagation()
      setTargetAddress(address.pathname + address.search + address.hash)
    }
    addEventListener('beforeunload', handleBeforeUnload)
    document.addEventListener('click', handleClick, { capture: true })
    return () => {
      removeEventListener('beforeunload', handleBeforeUnload)
      document.removeEventListener('click', handleClick, { capture: true })
    }
  }, [unsaved, isSafeAddress])

  return (
    <ConfirmDialog
      open={targetAddress !== undefined}
      onOpenChange={(open) => !open && setTargetAddress(undefined)}
      title="Leave with unsaved changes?"
      tone="primary"
      cancelLabel="Stay"
      confirmLabel="Leave"
      onConfirm={() => targetAddress && navigate(targetAddress)}
    >
      Your changes aren’t saved. They stay in this tab as a draft until you come back.
    </ConfirmDialog>
  )
}
