// Classes of letters for regular expressions, as twitter-text 3.1.0 has them.

/** Latin letters beyond ASCII, and combining marks. */
export const latin = String.raw`\xC0-\xD6\xD8-\xF6\xF8-\xFF\u0100-\u024F\u0253\u0254\u0256\u0257\u0259\u025B\u0263\u0268\u026F\u0272\u0289\u028B\u02BB\u0300-\u036F\u1E00-\u1EFF`

const spaces = String.raw`\x09-\x0D\x20\x85\xA0\u1680\u180E\u2000-\u200A\u2028\u2029\u202F\u205F\u3000`
const directions = String.raw`\u202A-\u202E\u061C\u200E\u200F\u2066-\u2069`
/** Characters that no post may contain. */
export const invalid = String.raw`\uFFFE\uFEFF\uFFFF`

/** Characters that neither occur in a label of a host name nor separate two labels. */
export const outsideHosts = String.raw`!'#%&()*+,\\/:;<=>?@[\]^{|}~$${spaces}${invalid}${directions}`

/** Characters that may occur in a query, and those that may end one. */
export const query = String.raw`\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/]`
