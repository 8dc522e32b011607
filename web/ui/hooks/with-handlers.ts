import { cloneElement, type HTMLAttributes, type ReactElement } from 'react'

type ElementProps = HTMLAttributes<HTMLElement>

/** Adds props to an element; where both have a handler, both run, the element's first. */
export function withHandlers(element: ReactElement, added: ElementProps): ReactElement {
  const elementProps = element.props as Record<string, unknown>
  const merged: Record<string, unknown> = { ...added }
  for (const [name, handler] of Object.entries(added)) {
    const first = elementProps[name]
    if (typeof handler !== 'function' || typeof first !== 'function') continue
    merged[name] = (event: unknown) => {
      first(event)
      handler(event)
    }
  }
  return cloneElement(element, merged)
}
