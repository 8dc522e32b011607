import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { classNames } from '../hooks/class-names.ts'
import { scrimClasses } from './overlay-classes.ts'
import { useDialogFocus } from './use-dialog-focus.ts'

export interface DrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  titleHidden?: boolean
  side?: 'left' | 'right' | 'bottom'
  children: ReactNode
  className?: string
}

const sideClasses = {
  left: 'inset-y-0 start-0 w-[304px] max-w-[calc(100vw-40px)] border-e animate-from-left',
  right: 'inset-y-0 end-0 w-[400px] max-w-[calc(100vw-40px)] border-s animate-from-right',
  bottom: 'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-xl border-t animate-from-below',
}

export function Drawer({
  open,
  onOpenChange,
  title,
  titleHidden = false,
  side = 'right',
  children,
  className,
}: DrawerProps) {
  const focus = useDialogFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrimClasses} />
        <Radix.Content
          {...focus}
          aria-describedby={undefined}
          className={classNames(
            'fixed z-50 flex flex-col border-border bg-popover text-popover-foreground shadow-e3 outline-none data-[state=closed]:animate-leave',
            sideClasses[side],
            className,
          )}
        >
          {titleHidden ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <header className="flex items-center gap-3 border-b border-hairline py-3 ps-5 pe-3">
              <Radix.Title dir="auto" className="min-w-0 flex-1 truncate text-h3">
                {title}
              </Radix.Title>
              <Radix.Close asChild>
                <IconButton label="Close">
                  <X aria-hidden size={16} />
                </IconButton>
              </Radix.Close>
            </header>
          )}
          <div className={classNames('min-h-0 flex-1 overflow-y-auto', !titleHidden && 'p-5')}>{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
