import { classNames } from '../hooks/class-names.ts'

export function Ribbon({ isDropping = false, className }: { isDropping?: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('absolute -top-px overflow-hidden', className ?? 'end-4 h-[34px] w-[13px]')}
    >
      <span className={classNames('block size-full spine bg-ribbon', isDropping && 'animate-drop')} />
    </span>
  )
}
