<?xml version="1.0" encoding="UTF-8"?>
<!-- Entry point: the prepared form itself, to be stored and compared. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:f="urn:jiaokan:functions" exclude-result-prefixes="#all">
  <xsl:include href="main.xsl"/>
  <xsl:output method="xml" indent="no"/>
  <xsl:template match="/" as="element()"><xsl:sequence select="f:prepare(.)"/></xsl:template>
</xsl:stylesheet>
