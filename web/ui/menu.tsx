import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { floatingClasses } from './overlay-classes.ts'

export interface MenuProps {
  /** A button; its name is also the name of the menu. */
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end' | 'center'
  side?: 'top' | 'bottom' | 'left' | 'right'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

export function Menu({ trigger, children, align = 'end', side = 'bottom', open, onOpenChange, className }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={5}
          collisionPadding={8}
          className={classNames(
            floatingClasses,
            'max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto p-[5px]',
            className,
          )}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const itemClasses =
  'flex min-h-8 w-full cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-ui outline-none select-none data-highlighted:bg-accent data-highlighted:text-accent-foreground data-disabled:cursor-not-allowed data-disabled:text-muted-foreground phone:min-h-10'

export interface MenuItemProps {
  children: ReactNode
  onSelect?: () => void
  icon?: ReactNode
  /** At the right: a badge, a shortcut. */
  end?: ReactNode
  danger?: boolean
  disabled?: boolean
  /** The child is a link and keeps being one. */
  asChild?: boolean
}

export function MenuItem({ children, onSelect, icon, end, danger = false, disabled, asChild = false }: MenuItemProps) {
  const className = classNames(itemClasses, danger && 'text-destructive')
  if (asChild) {
    return (
      <DropdownMenu.Item asChild disabled={disabled} onSelect={onSelect} className={className}>
        {children}
      </DropdownMenu.Item>
    )
  }
  return (
    <DropdownMenu.Item disabled={disabled} onSelect={onSelect} className={className}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {end}
    </DropdownMenu.Item>
  )
}

export interface MenuChoiceProps {
  children: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
}

export function MenuChoice({ children, checked, onCheckedChange, disabled }: MenuChoiceProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onCheckedChange}
      disabled={disabled}
      className={itemClasses}
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <span aria-hidden className="w-4">
        {checked && <Check size={15} />}
      </span>
    </DropdownMenu.CheckboxItem>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-small text-muted-foreground">{children}</DropdownMenu.Label>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-[5px] my-[5px] h-px bg-border" />
}
