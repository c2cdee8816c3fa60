/** Memories in German, French, Spanish, Turkish, Japanese, Italian, Dutch, Russian, Portuguese, Swedish and Chinese. */
export const german = [
  'Rechnungen werden am letzten Werktag des Monats verschickt.',
  'Der Newsletter für Händler erscheint jeden zweiten Dienstag.',
  'Unsere Kundinnen und Kunden werden immer gesiezt.',
  'Für Beschwerden ist Frau Öztürk zuständig, auch am Wochenende.',
  'Das Gewinnspiel endet am dreißigsten September um Mitternacht.',
  'Bei Lieferverzögerungen bieten wir einen Gutschein über zehn Euro an.',
  'Die Werkstatt in der Grünstraße repariert auch fremde Fahrräder.',
  'Lastenräder dürfen eine Woche lang kostenlos getestet werden.',
  'Auf Fotos tragen alle einen Helm, sonst wird nicht veröffentlicht.',
  'Der Schlüssel zum Lager hängt im Büro hinter der Tür.',
  'Größere Bestellungen brauchen die Freigabe der Geschäftsführung.',
  'Ersatzteile für alte Modelle gibt es noch bis 2030.',
  'Die Müllabfuhr kommt mittwochs, deshalb keine Anlieferung vor zehn.',
  'Im Winter schließen wir eine Stunde früher.',
  'Akkus müssen vor dem Versand auf dreißig Prozent entladen werden.',
  'Die Eröffnung der Filiale in München war ein voller Erfolg.',
  'Praktikanten bekommen eine Vergütung und ein eigenes Fahrrad.',
  'Wir antworten auf Bewertungen innerhalb von zwei Tagen.',
  'Die Farbe Türkis steht für Service, Orange für Angebote.',
  'Versicherungen gegen Diebstahl vermitteln wir ohne Provision.',
]
export const french = [
  'Les factures sont envoyées le premier jour du mois.',
  'Notre équipe répond aux avis en moins de vingt-quatre heures.',
  'La réunion hebdomadaire a lieu le lundi à neuf heures.',
  'Les vendanges commencent début septembre dans la parcelle du sud.',
  'On tutoie les abonnés sur Instagram mais pas sur LinkedIn.',
  'Le château se visite sur rendez-vous, chiens admis.',
  'Les bouteilles sont expédiées dans des cartons recyclés.',
  'La cuvée blanche a reçu une médaille à Bordeaux.',
  'Les journalistes peuvent demander des échantillons gratuits.',
  'La dégustation du samedi est limitée à douze personnes.',
  'Pas de publication concernant l’alcool avant dix-huit heures.',
  'Le vigneron, Étienne, refuse les photos de son visage.',
  'Les prix augmentent à cause du gel tardif.',
  'Nos étiquettes sont dessinées par une artiste de Nîmes.',
  'La boutique ferme en février pour travaux.',
]
export const spanish = [
  'Las inscripciones al curso de cerámica se abren en enero.',
  'Publicamos los horarios cada viernes por la tarde.',
  'El descuento para estudiantes es del veinte por ciento.',
  'Los niños menores de diez años deben venir acompañados.',
  'La exposición de verano reúne a catorce artistas locales.',
  'El horno grande se enciende los martes.',
  'No se devuelve el dinero después de la segunda clase.',
  'Las piezas se recogen tres semanas después de la cocción.',
  'El taller está cerrado en agosto.',
  'Nuestra profesora Lucía ganó un premio en Talavera.',
  'Se puede pagar con tarjeta o por transferencia.',
  'Las reuniones con proveedores son a primera hora.',
]
export const turkish = [
  'Kargo ücretsizdir, siparişler İstanbul’dan gönderilir.',
  'Müşterilerimize her zaman adıyla hitap ederiz.',
  'Halılar elde dokunur ve bir ay içinde teslim edilir.',
  'İade süresi on dört gündür.',
  'Fotoğraflarda doğal ışık kullanıyoruz.',
  'Toplantılar pazartesi sabahı yapılır.',
  'Yün boyaları yalnızca bitkilerden elde edilir.',
  'Ramazan ayında mağaza saat on birde açılır.',
]
export const japanese = [
  '定例会議は毎週月曜日の午前十時に行います。',
  '写真の投稿は公開の前に田中さんの承認が必要です。',
  '抹茶の新商品は四月一日に発売されます。',
  'お客様への返信は二十四時間以内にしてください。',
  '送料は五千円以上の注文で無料になります。',
  '京都の店舗は水曜日が定休日です。',
  '返品は商品到着後七日以内に受け付けます。',
  '桜の季節には限定のお菓子を販売します。',
]
export const italian = [
  'Le riunioni con i fornitori si tengono il mercoledì.',
  'La pasta fresca si prepara ogni mattina alle sei.',
  'Le prenotazioni per più di otto persone richiedono un acconto.',
  'Il menù senza glutine si trova in fondo alla carta.',
  'Le recensioni negative ricevono una risposta personale.',
]
export const dutch = [
  'De winkel is op zondag gesloten, behalve in december.',
  'Tulpenbollen worden in oktober verzonden.',
  'Klanten krijgen een factuur per e-mail.',
  'De vergadering over het voorjaar begint om negen uur.',
]
export const russian = [
  'Встречи с клиентами проходят по средам.',
  'Доставка по городу занимает два дня.',
  'Скидка для студентов составляет десять процентов.',
  'Фотографии публикуются только с согласия автора.',
]
export const portuguese = [
  'As reuniões da equipe acontecem às terças-feiras.',
  'O frete é grátis para pedidos acima de duzentos reais.',
  'As promoções começam na primeira semana de novembro.',
  'Não publicamos fotos de crianças sem autorização.',
  'A cafeteria abre às sete da manhã.',
]
export const swedish = [
  'Mötet om höstens kampanj hålls på torsdag.',
  'Fakturor skickas med e-post.',
  'Butiken är stängd på midsommarafton.',
  'Vi svarar på kommentarer inom fyra timmar.',
  'Barnkläder säljs bara på nätet.',
]
export const chinese = [
  '春节期间商店关闭一周。',
  '新产品的照片必须由经理批准。',
  '会员每次购买可获得积分。',
  '客服在工作日上午九点开始工作。',
  '绿茶礼盒适合送给朋友。',
  '订单满两百元免运费。',
]
