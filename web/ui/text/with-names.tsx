import { Fragment, type ReactNode } from 'react'

/** Tags a template: a name keeps its own direction and leaves that of the sentence alone. */
export function withNames(sentence: TemplateStringsArray, ...names: readonly (string | null | undefined)[]): ReactNode {
  return sentence.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a template never change their order
    <Fragment key={index}>
      {part}
      {index < names.length && <bdi>{names[index]}</bdi>}
    </Fragment>
  ))
}
