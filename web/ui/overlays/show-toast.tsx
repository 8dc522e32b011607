import type { ReactNode } from 'react'
import { Ribbon } from '../panels/ribbon.tsx'

export interface ToastOptions {
  onUndo?: () => void
  undoLabel?: string
  dropsRibbon?: boolean
  durationMs?: number
  /** Uses Keeper Classic colors, whatever the current theme. */
  usesClassicColors?: boolean
}

/** Only for events away from where the person looks; else use a Banner. */
export async function showToast(message: ReactNode, options: ToastOptions = {}): Promise<void> {
  const { onUndo, undoLabel = 'Undo', dropsRibbon = false, durationMs, usesClassicColors } = options
  // Lazy: the shell loads sonner with its toaster.
  const { toast } = await import('sonner')
  toast.dismiss()
  const notice = (id: string | number) => (
    <div
      data-theme={usesClassicColors ? 'keeper-classic' : undefined}
      className="relative flex w-full items-center gap-3 rounded-[10px] font-sans bg-foreground px-4 py-[11px] text-body text-background shadow-e3"
    >
      {dropsRibbon && <Ribbon isDropping className="start-3.5 h-[26px] w-[11px]" />}
      <span className={dropsRibbon ? 'flex-1 ps-[22px]' : 'flex-1'}>{message}</span>
      {onUndo && (
        <button
          type="button"
          onClick={() => {
            toast.dismiss(id)
            onUndo()
          }}
          className="rounded-xs font-semibold underline underline-offset-[3px] focus-visible:outline-background"
        >
          {undoLabel}
        </button>
      )}
    </div>
  )
  toast.custom(notice, durationMs === undefined ? {} : { duration: durationMs })
}
