import { expect, it } from 'vitest'
import { isNarrowed, readSearchFilter } from './search-filter.ts'

const read = (address: string) => readSearchFilter(new URLSearchParams(address))

it('a search is read from the address', () => {
  expect(
    read('q=%20ferry%20&type=moment&keeper=k&topic=Sea&mood=-1&from=2020-01-01&to=2020-12-31&picture=true'),
  ).toEqual({
    q: 'ferry',
    type: 'moment',
    keeperId: 'k',
    topic: 'Sea',
    mood: -1,
    from: '2020-01-01',
    to: '2020-12-31',
    hasPicture: 'true',
  })
})

it('values that cannot be searched for are left out', () => {
  const filter = read(`q=${'x'.repeat(300)}&type=agent&mood=9&from=yesterday&to=2020-13-45&picture=yes&topic=`)
  expect(filter).toEqual({ q: 'x'.repeat(200) })
  expect(isNarrowed(filter)).toBe(false)
  expect(isNarrowed(read('q=a&mood=0'))).toBe(true)
})
