import { Check } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type ReactElement, type ReactNode, use } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { withHandlers } from '../hooks/with-handlers.ts'
import { MenuContext } from './menu-context.ts'

const itemClasses =
  'flex min-h-8 w-full cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-start text-ui outline-none select-none focus:bg-accent focus:text-accent-foreground aria-disabled:cursor-not-allowed aria-disabled:text-muted-foreground phone:min-h-10'

export interface MenuItemProps {
  children: ReactNode
  onSelect?: () => void
  icon?: ReactNode
  end?: ReactNode
  danger?: boolean
  disabled?: boolean
  asChild?: boolean
}

export function MenuItem({ children, onSelect, icon, end, danger = false, disabled, asChild }: MenuItemProps) {
  const close = use(MenuContext)
  const className = classNames(itemClasses, danger && 'text-destructive')
  function handleSelect() {
    if (disabled) return
    close()
    onSelect?.()
  }
  if (asChild) {
    return withHandlers(children as ReactElement, {
      role: 'menuitem',
      tabIndex: -1,
      'aria-disabled': disabled || undefined,
      className,
      onClick: handleSelect,
      onKeyDown: clickOnSpace,
      onPointerMove: focusOnHover,
    })
  }
  return (
    <Item role="menuitem" disabled={disabled} className={className} onClick={handleSelect}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {end}
    </Item>
  )
}

export interface MenuChoiceProps {
  children: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
}

export function MenuChoice({ children, checked, onCheckedChange, disabled }: MenuChoiceProps) {
  const close = use(MenuContext)
  function handleToggle() {
    if (disabled) return
    close()
    onCheckedChange(!checked)
  }
  return (
    <Item
      role="menuitemcheckbox"
      aria-checked={checked}
      disabled={disabled}
      className={itemClasses}
      onClick={handleToggle}
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <span aria-hidden className="w-4">
        {checked && <Check size={15} />}
      </span>
    </Item>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2.5 pt-2 pb-1 text-small text-muted-foreground">{children}</div>
}

export function MenuSeparator() {
  return <hr className="-mx-[5px] my-[5px] border-border" />
}

function Item({ disabled, ...rest }: ComponentProps<'button'>) {
  return (
    <button {...rest} type="button" tabIndex={-1} aria-disabled={disabled || undefined} onPointerMove={focusOnHover} />
  )
}

/** Hover moves focus, so that pointer and arrow keys highlight the same item. */
function focusOnHover({ currentTarget }: { currentTarget: HTMLElement }) {
  if (currentTarget.ariaDisabled === 'true' || document.activeElement === currentTarget) return
  currentTarget.focus({ preventScroll: true })
}

function clickOnSpace(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== ' ') return
  event.preventDefault()
  event.currentTarget.click()
}
