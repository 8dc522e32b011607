import { Check } from 'lucide-react'
import { DropdownMenu as Radix, Slot } from 'radix-ui'
import {
  type ComponentProps,
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useRef,
  useState,
} from 'react'
import { classNames } from '../hooks/class-names.ts'
import { floatingClasses, floatingPosition, floatingStyle } from './overlay-classes.ts'

export interface MenuProps {
  /** A button; its name also labels the menu. */
  trigger: ReactElement<{ busy?: boolean }>
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  className?: string
}

const MenuButtonContext = createContext<RefObject<HTMLButtonElement | null>>({ current: null })

export function Menu({ trigger, children, align = 'end', side = 'bottom', className }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild ref={button} disabled={trigger.props.busy ?? false} onClick={() => setOpen(!isOpen)}>
        <ClickButton>{trigger}</ClickButton>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          {...floatingPosition}
          side={side}
          align={align}
          loop
          onInteractOutside={(event) => {
            if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            const { activeElement } = document
            // An item may have moved the focus to what it opened.
            if (activeElement !== document.body && activeElement !== button.current) event.preventDefault()
          }}
          style={floatingStyle}
          className={classNames(
            floatingClasses,
            'min-w-[min(12rem,var(--radix-popper-available-width))] p-[5px]',
            className,
          )}
        >
          <MenuButtonContext value={button}>{children}</MenuButtonContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Radix opens on press, but a finger can start to scroll or drag on the button, and assistive technology only clicks. */
function ClickButton({ onPointerDown: _, ...rest }: ComponentProps<'button'>) {
  return <Slot.Root {...rest} />
}

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

export function MenuItem({
  children,
  onSelect,
  icon,
  end,
  danger = false,
  disabled = false,
  asChild = false,
}: MenuItemProps) {
  const button = use(MenuButtonContext)
  return (
    <Radix.Item
      asChild={asChild}
      disabled={disabled}
      onSelect={() => {
        // A dialog that this opens returns the focus to the button.
        button.current?.focus()
        onSelect?.()
      }}
      className={classNames(itemClasses, danger && 'text-destructive')}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {children}
          </span>
          {end}
        </>
      )}
    </Radix.Item>
  )
}

export interface MenuChoiceProps {
  children: ReactNode
  icon?: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
}

export function MenuChoice({ children, icon, ...choice }: MenuChoiceProps) {
  return (
    <Radix.CheckboxItem {...choice} className={itemClasses}>
      {icon}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {children}
      </span>
      <span aria-hidden className="w-4">
        {choice.checked && <Check size={15} />}
      </span>
    </Radix.CheckboxItem>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 text-small text-muted-foreground">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-[5px] my-[5px] border-t border-border" />
}
