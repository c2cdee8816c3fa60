import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'

/** The stemmer of each language, and its most common words: they identify the language and are poor search terms. */
const spoken = {
  de: {
    stem: german,
    common:
      'aber alle als also am an auch auf aus bei beim bin bis bitte da damit das dass dein dem den der des die dies diese dieser doch du durch ein eine einem einen einer eines er es fur haben hat hatte ich ihr im immer in ist ja kann kein keine man mehr mein mit nach nicht noch nur ob oder ohne schon sehr sein seine sich sie sind so soll uber um und uns unser unsere unter vom von vor war was wenn wer werden wie wir wird wo zu zum zur',
  },
  en: {
    stem: english,
    common:
      'a about after all also am an and any are as at be because been before being but by can could did do does for from had has have he her him his how i if in into is it its just like me more most my no not now of on only or other our out over s she should so some t than that the their them then there these they this those to up us was we were what when where which who why will with would you your',
  },
  es: {
    stem: spanish,
    common:
      'a al algo antes como con cual cuando de del desde donde el ella ellos en entre era es esta este esto estos ha hasta hay la las le les lo los mas me mi muy nada ni no nos nuestra nuestro nuestros o para pero por porque que quien se ser si sin sobre son su sus tambien te todo todos tu un una uno y ya yo',
  },
  fr: {
    stem: french,
    common:
      'a au aux avec c ce ces cette comme d dans de des du elle en es est et eu il ils j je l la le les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on ont ou par pas plus pour qu quand que qui s sa sans se ses si son sont sur t ta te tous tout tres tu un une vos votre vous y',
  },
  it: {
    stem: italian,
    common:
      'a ad ai al alla alle anche c che chi ci come con cosa da dal dalla degli dei del della delle di dove e ed era gli ha hanno ho i il in io l la le lei lo loro ma mi mia mio ne nei nel nella no noi non nostra nostri nostro o ogni per perche piu quando quella quello questa questo se si sia sono su sul sulla ti tra tutti tutto un una uno vi',
  },
  nl: {
    stem: dutch,
    common:
      'aan al alle als altijd andere bij daar dan dat de der deze die dit door dus een en er ge geen had heb hebben heeft het hier hij hoe hun iets ik in is je kan kunnen maar me meer men met mij mijn moet na naar niet nog nu of om omdat onder ons ook op over te tegen toch tot u uit van veel voor waar was wat we wel werd wie wij wordt zal ze zich zij zijn zo zonder zou',
  },
  pt: {
    stem: portuguese,
    common:
      'a ao aos as ate com como da das de dela dele do dos e ela ele eles em entre era essa esse esta este eu foi ha isso isto ja la lhe mais mas me mesmo meu minha muito na nao nas nem no nos nossa nosso num numa o os ou para pela pelo por qual quando que quem se sem ser seu seus so sua suas tambem te tem tu um uma voce voces',
  },
  ru: {
    stem: russian,
    common:
      'а без бы был была были было в вам вас во вот все всех вы где да для до его ее если есть же за и из или им их к как когда кто ли мне можно мы на над наш наша не него нее нет ни но о об он она они от по под после при с со так там то только ты у уже что чтобы эта эти это этот я',
  },
  sv: {
    stem: swedish,
    common:
      'alla att av blev bli da dar de dem den denna det detta dig din dina du efter ej eller en er ett for fran ha hade han har hon hur i icke in inom inte jag ju kan man med mellan men mig min mina mot mycket na nagon nar ni nu och om oss pa sa samma sin sina som till under upp ut utan vad var vara varje vem vi vid vilka',
  },
  tr: {
    stem: turkish,
    common:
      'acaba ama aslinda az bana bazi belki ben beni bir biri birkac biz bu bunu cok cunku da daha de defa diye en gibi hem hep hepsi her hic icin ile ise kez ki kim mi mu nasil ne neden nerede nicin o olan olarak oldu olsun onlar onu sanki sen siz su tum ve veya ya yani yok',
  },
} satisfies Record<string, { stem: (word: string) => string; common: string }>

export type Language = keyof typeof spoken

export const languages = Object.keys(spoken).filter((name): name is Language => name in spoken)

let speakers: Map<string, Language[]> | undefined

const readSpeakers = () => {
  const found = new Map<string, Language[]>()
  for (const language of languages) {
    for (const word of spoken[language].common.split(' ')) found.set(word, [...(found.get(word) ?? []), language])
  }
  return found
}

/** The languages that have a normalized word among their most common ones. */
export const languagesWith = (folded: string): readonly Language[] => {
  speakers ??= readSpeakers()
  return speakers.get(folded) ?? []
}

/** A word in lowercase without its endings. */
export const stem = (language: Language, word: string): string => spoken[language].stem(word)
