import twitter from 'twitter-text'

/** The weighted length by X's own library: links count 23, an emoji with all its joiners 2, CJK 2 each (platforms-a, 1.5). */
export const weigh = (text: string): number => twitter.parseTweet(text).weightedLength
