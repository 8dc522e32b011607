/** In cards. */
const initialCapacity = 1024

/** Packed sign bits of many vectors, for search by Hamming distance. */
export class BinaryVectors {
  /** Words of 32 bits. */
  readonly #wordsPerCard: number
  readonly #indexById = new Map<string, number>()
  readonly #ids: string[] = []
  #words: Uint32Array

  /** @param bytesPerCard a multiple of 4 */
  constructor(bytesPerCard: number) {
    this.#wordsPerCard = bytesPerCard / 4
    this.#words = new Uint32Array(this.#wordsPerCard * initialCapacity)
  }

  get size(): number {
    return this.#ids.length
  }

  put(id: string, signBits: Uint8Array): void {
    const wordsPerCard = this.#wordsPerCard
    let index = this.#indexById.get(id)
    if (index === undefined) {
      index = this.#ids.length
      this.#indexById.set(id, index)
      this.#ids.push(id)
      if ((index + 1) * wordsPerCard > this.#words.length) {
        const grown = new Uint32Array(this.#words.length * 2)
        grown.set(this.#words)
        this.#words = grown
      }
    }
    this.#words.set(toWords(signBits), index * wordsPerCard)
  }

  findNearest(signBits: Uint8Array, count: number): string[] {
    const queryWords = toWords(signBits)
    const wordsPerCard = this.#wordsPerCard
    if (queryWords.length !== wordsPerCard) return []
    const packed = this.#words
    const size = this.#ids.length
    const distances = new Uint16Array(size)
    const countByDistance = new Uint32Array(wordsPerCard * 32 + 1)
    for (let card = 0, wordIndex = 0; card < size; card++) {
      let distance = 0
      for (let word = 0; word < wordsPerCard; word++, wordIndex++) {
        // Counts the differing bits of 32 at once (SWAR population count).
        let bits = (packed[wordIndex] as number) ^ (queryWords[word] as number)
        bits -= (bits >>> 1) & 0x55555555
        bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
        distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
      }
      distances[card] = distance
      countByDistance[distance] = (countByDistance[distance] as number) + 1
    }
    const maxDistance = findMaxDistance(countByDistance, count)
    const nearCards: number[] = []
    for (let card = 0; card < size; card++) if ((distances[card] as number) <= maxDistance) nearCards.push(card)
    return nearCards
      .sort((a, b) => (distances[a] as number) - (distances[b] as number) || a - b)
      .slice(0, count)
      .map((card) => this.#ids[card] as string)
  }
}

function findMaxDistance(countByDistance: Uint32Array, count: number): number {
  let total = 0
  for (let distance = 0; distance < countByDistance.length; distance++) {
    total += countByDistance[distance] as number
    if (total >= count) return distance
  }
  return countByDistance.length
}

/** Copies, because a view may start at an unaligned offset. */
function toWords(signBits: Uint8Array): Uint32Array {
  return new Uint32Array(signBits.slice().buffer)
}
