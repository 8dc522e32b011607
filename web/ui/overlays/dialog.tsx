import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { classNames } from '../hooks/class-names.ts'
import { scrimClasses } from './overlay-classes.ts'
import { useDialogFocus } from './use-dialog-focus.ts'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  /** Printed instead of the page under it. */
  printed?: boolean
  size?: 'small' | 'medium' | 'large' | 'wide'
  /** Defaults to focusing the first field or button. */
  onOpenAutoFocus?: (event: Event) => void
}

const widthClasses = {
  small: 'max-w-[440px]',
  medium: 'max-w-[560px]',
  large: 'max-w-[760px]',
  wide: 'max-w-[1080px]',
}

export const dialogPanel =
  'fixed inset-0 z-50 m-auto flex h-fit max-h-[calc(100dvh-48px)] w-[calc(100vw-32px)] flex-col rounded-xl border border-border bg-popover text-popover-foreground shadow-e3 outline-none animate-scale data-[state=closed]:animate-leave'

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  printed = false,
  size = 'medium',
  onOpenAutoFocus,
}: DialogProps) {
  const focus = useDialogFocus(onOpenAutoFocus)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrimClasses} />
        <Radix.Content
          {...focus}
          data-print={printed || undefined}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(dialogPanel, widthClasses[size])}
        >
          <header className="flex items-start gap-3 px-[22px] pt-5 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title dir="auto" className="text-[1.25rem] leading-[1.625rem]">
                {title}
              </Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-ui text-muted-foreground">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="-me-2 -mt-1">
                <X aria-hidden size={16} />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-[22px] pt-1 pb-5 [--header-height:0px]">{children}</div>
          {footer && (
            <footer data-chrome className="flex flex-wrap justify-end gap-2 border-t border-hairline px-[22px] py-3.5">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
