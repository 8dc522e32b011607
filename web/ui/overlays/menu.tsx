import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { withHandlers } from '../hooks/with-handlers.ts'
import { MenuContext } from './menu-context.ts'
import { floatingClasses } from './overlay-classes.ts'
import type { Align, PanelSide } from './position-panel.ts'
import { useFloatingPanel } from './use-floating-panel.ts'

export { MenuChoice, MenuItem, MenuLabel, MenuSeparator } from './menu-item.tsx'

export interface MenuProps {
  /** A button; its name also labels the menu. */
  trigger: ReactElement
  children: ReactNode
  align?: Align
  side?: PanelSide
  /** Leave out for an uncontrolled menu. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

export function Menu({ trigger, children, align = 'end', side = 'bottom', open, onOpenChange, className }: MenuProps) {
  const id = useId()
  const { isOpen, setOpen, close, triggerProps, panelProps } = useFloatingPanel({
    triggerId: id,
    side,
    align,
    gap: 5,
    open,
    onOpenChange,
  })
  const { ref } = panelProps
  const initialFocus = useRef<'first' | 'last' | 'none'>('none')
  const typeahead = useRef({ text: '', at: 0 })

  useEffect(() => {
    if (!isOpen) return
    const items = getMenuItems(ref.current)
    const target =
      initialFocus.current === 'first' ? items[0] : initialFocus.current === 'last' ? items.at(-1) : ref.current
    target?.focus({ preventScroll: true })
  }, [isOpen, ref])

  function openByKey(event: KeyboardEvent<HTMLElement>) {
    initialFocus.current = event.key === 'ArrowUp' ? 'last' : 'first'
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpen(true)
  }

  function handleKeyDown(event: KeyboardEvent<HTMLElement>) {
    const items = getMenuItems(ref.current)
    const index = items.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'Tab' || event.key === 'Escape') {
      if (event.key === 'Escape') event.preventDefault()
      return close()
    }
    const next =
      findNextItem(event, items, index) ?? (event.key.length === 1 ? findByPrefix(event.key, items, index) : undefined)
    if (next) {
      event.preventDefault()
      next.focus()
    }
  }

  function findByPrefix(character: string, items: HTMLElement[], index: number): HTMLElement | undefined {
    const now = performance.now()
    const text = (now - typeahead.current.at < 700 ? typeahead.current.text : '') + character.toLowerCase()
    typeahead.current = { text, at: now }
    if (text.trim() === '') return undefined
    const startIndex = text.length === 1 ? index + 1 : Math.max(index, 0)
    return [...items.slice(startIndex), ...items.slice(0, startIndex)].find((item) =>
      item.textContent?.trim().toLowerCase().startsWith(text),
    )
  }

  return (
    <>
      {withHandlers(trigger, {
        ...triggerProps,
        onPointerDown: () => {
          initialFocus.current = 'none'
          triggerProps.onPointerDown()
        },
        onKeyDown: openByKey,
        'aria-haspopup': 'menu',
        'aria-controls': isOpen ? `${id}-menu` : undefined,
      })}
      {isOpen && (
        <div
          {...panelProps}
          id={`${id}-menu`}
          role="menu"
          aria-labelledby={id}
          tabIndex={-1}
          onKeyDown={handleKeyDown}
          className={classNames(floatingClasses, 'min-w-48 p-[5px]', className)}
        >
          <MenuContext value={close}>{children}</MenuContext>
        </div>
      )}
    </>
  )
}

function getMenuItems(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])') ?? [])]
}

function findNextItem({ key }: { key: string }, items: HTMLElement[], index: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(index + 1) % items.length]
  if (key === 'ArrowUp') return items.at(index <= 0 ? -1 : index - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  return undefined
}
